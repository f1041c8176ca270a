// SPDX-License-Identifier: MIT
#include "redact/code_values.hpp"

#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostConstant = 18;  // "0x" and 64 bits
constexpr std::size_t kMostTargets = 128;  // characters of `a, b, password =`

bool all(std::string_view text, CharClass wanted) {
  return std::all_of(text.begin(), text.end(), [wanted](char c) { return is(c, wanted); });
}

bool is_path(std::string_view text) {
  const bool drive = text.size() >= 3 && is(text[0], kLetter) && text[1] == ':' &&
                     (text[2] == '/' || text[2] == '\\');
  return drive || text.starts_with('/') || text == "~" || text.starts_with("~/") ||
         text.starts_with("./") || text.starts_with("../");
}

/// `PWD=/srv/app`. A longer name, as DB_PWD, means a password.
bool is_working_folder(const Key& key, std::string_view text) {
  return equals_folded(between(key.begin, key.end), "pwd") && is_path(text);
}

/// `"pass": "12 of 13"`, `pass: "ok"`.
bool is_outcome(const Key& key, std::string_view text) {
  const std::string_view name = between(key.begin, key.end);
  const bool alone = equals_folded(name, "pass") || equals_folded(name, "pw");
  return alone && (text.size() < 6 || all(text, kLower) ||
                   std::any_of(text.begin(), text.end(), [](char c) { return is(c, kBlank); }));
}

bool is_hex_constant(std::string_view text) {
  return text.size() > 2 && text.size() <= kMostConstant && text[0] == '0' &&
         to_lower(text[1]) == 'x' && all(text.substr(2), kDigit | kHexLetter);
}

/// A variable, not a word with digits as people choose for passwords.
bool is_variable(std::string_view text) {
  return is(text.front(), kLetter | kUnderscore) && all(text, kLetter | kUnderscore) &&
         !looks_random(text);
}

bool goes_on_as_expression(std::string_view rest) {
  constexpr std::array<std::string_view, 5> kOperators{" + ", " ? ", " || ", " && ", " ?? "};
  return std::any_of(kOperators.begin(), kOperators.end(), [rest](std::string_view known) {
    return rest.starts_with(known);
  });
}

bool is_keyword(std::string_view text) {
  constexpr std::array<std::string_view, 5> kKeywords{"new", "await", "yield", "not", "typeof"};
  return std::find(kKeywords.begin(), kKeywords.end(), text) != kKeywords.end();
}

bool has(std::string_view text, CharClass wanted) {
  return std::any_of(text.begin(), text.end(), [wanted](char c) { return is(c, wanted); });
}

/// `Option<String>`, `FormControl<string>`, with the `<` behind the text.
bool is_generic_type(std::string_view text, std::string_view rest) {
  constexpr std::size_t kMostArguments = 64;
  rest = rest.substr(0, kMostArguments);
  return is_variable(text) && rest.size() > 1 && rest.front() == '<' && is(rest[1], kLetter) &&
         !rest.starts_with("<redacted") && rest.find('>') != std::string_view::npos;
}

/// `SecretString`, `hashedPassword`: humps, of which people make no passwords without digits.
bool is_camel_case(std::string_view text) {
  return is_variable(text) && has(text, kLower) && has(text.substr(1), kUpper);
}

/// `PASSWORD_BCRYPT`
bool is_constant(std::string_view text) {
  return is_variable(text) && !has(text, kLower) && has(text.substr(1), kUnderscore);
}

/// `:password` and `@password` of a query, `$_POST[`, `$request->`.
bool is_parameter(std::string_view text, const char* end) {
  const char* const name = text.data() + 1;
  const char* const name_end = run_end(name, end, kWord, kMostTargets);
  const std::string_view rest = between(name_end, end);
  if (name_end == name || has(between(name, name_end), kDigit)) {
    return false;
  }
  if (text.front() == '$') {
    return rest.starts_with('[') || rest.starts_with("->") || rest.starts_with("::") ||
           rest.starts_with('(');
  }
  return (text.front() == ':' || text.front() == '@') && name_end == text.data() + text.size();
}

/// `self.password`, `this.password`, `user->password`.
bool is_own_member(const Cursor& cursor, const Key& key) {
  const std::string_view name = between(key.begin, key.end);
  return name.starts_with("self.") || name.starts_with("this.") || name.starts_with("cls.") ||
         between(cursor.left_begin, key.begin).ends_with("->") ||
         (name.starts_with('-') && cursor.peek() == '=');
}

bool is_member(const Key& key) {
  return between(key.begin, key.end).find('.') != std::string_view::npos;
}

/// A name without quotes where code would have a literal.
bool is_name_in_code(const Cursor& cursor, const Key& key, std::string_view text) {
  const char* const end = text.data() + text.size();
  const std::string_view rest = between(end, cursor.end);
  const bool compares = cursor.starts_with("==");
  if (compares && text.ends_with(':')) {
    text.remove_suffix(1);
  }
  if (!is_variable(text)) {
    return false;
  }
  if (compares || is_own_member(cursor, key)) {
    return true;
  }
  if (rest.starts_with(",") && (rest.size() == 1 || rest[1] == '\n')) {
    return true;
  }
  const bool assigns = *cursor.at == '=' || cursor.starts_with(":=");
  return assigns && ((is_member(key) && is_camel_case(text)) || is_constant(text));
}

/// `user, password = …`: nothing but names and commas stands before the key on its line.
bool is_last_of_targets(const Cursor& cursor, const Key& key) {
  const char* p = key.begin;
  bool comma = false;
  bool name_may_follow = true;  // read backwards: only one name between two commas
  while (p > cursor.left_begin && p[-1] != '\n') {
    if (key.begin - p >= static_cast<std::ptrdiff_t>(kMostTargets)) {
      return false;
    }
    if (is(p[-1], kBlank)) {
      --p;
    } else if (p[-1] == ',') {
      comma = true;
      name_may_follow = true;
      --p;
    } else if (comma && name_may_follow && is(p[-1], kWord | kDot)) {
      while (p > cursor.left_begin && is(p[-1], kWord | kDot) &&
             key.begin - p < static_cast<std::ptrdiff_t>(kMostTargets)) {
        --p;
      }
      name_may_follow = false;
    } else {
      return false;
    }
  }
  return comma;
}

}  // namespace

bool is_no_literal(const Cursor& cursor,
                   const Key& key,
                   std::string_view text,
                   const Value& value) {
  if (text.empty() || is_working_folder(key, text) || is_outcome(key, text)) {
    return true;
  }
  if (value.quoted || key.hump) {
    return !value.quoted;
  }
  if (is_parameter(text, cursor.end)) {
    return true;
  }
  if (!value.after_blank) {
    return false;
  }
  if (equals_folded(text, "pw") || equals_folded(text, "pass")) {
    return true;  // self.pw = pw
  }
  const char* const end = text.data() + text.size();
  const char next = cursor.peek_at(end);
  const bool number = all(text, kDigit) && (next == ',' || next == ';');
  const std::string_view rest = between(end, cursor.end);
  if (is_hex_constant(text) || number || is_name_in_code(cursor, key, text) ||
      (is_keyword(text) && is(next, kBlank))) {
    return true;
  }
  if (cursor.peek() == ':' &&
      (is_generic_type(text, rest) || (is_camel_case(text) && text.ends_with("String")))) {
    return true;
  }
  if (*cursor.at != '=' && !cursor.starts_with(":=")) {
    return false;
  }
  const bool variable = is_variable(text);
  if (variable && (next == ';' || goes_on_as_expression(rest))) {
    return true;
  }
  const bool name = variable || (is(text.front(), kLetter) && all(text, kWord));
  return name && next == ',' && !looks_random(text) && is_last_of_targets(cursor, key);
}

}  // namespace daybook::redact
