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
  if (text.empty() || is_working_folder(key, text)) {
    return true;
  }
  if (value.quoted || key.hump) {
    return !value.quoted;
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
  if (is_hex_constant(text) || number) {
    return true;
  }
  if (*cursor.at != '=' && !cursor.starts_with(":=")) {
    return false;
  }
  const bool variable = is_variable(text);
  if ((variable && (next == ';' || goes_on_as_expression(between(end, cursor.end)))) ||
      (is_keyword(text) && is(next, kBlank))) {
    return true;
  }
  const bool name = variable || (is(text.front(), kLetter) && all(text, kWord));
  return name && next == ',' && !looks_random(text) && is_last_of_targets(cursor, key);
}

}  // namespace daybook::redact
