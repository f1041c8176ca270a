// SPDX-License-Identifier: MIT
#include "redact/secret_values.hpp"

#include "redact/enclosure.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostBlanks = 64;
constexpr std::size_t kLook = 256;

bool ends_unquoted(char c) {
  return c == '\n' || is(c, kBlank | kQuote) ||
         std::string_view(",;)]}<>").find(c) != std::string_view::npos;
}

bool is_escape(const char* at, const char* end) {
  return *at == '\\' && at + 1 < end &&
         (std::string_view("nrt\"'\\").find(at[1]) != std::string_view::npos);
}

const char* unquoted_end(const char* at, const char* end, std::size_t most) {
  const char* p = at;
  end = end - at > static_cast<std::ptrdiff_t>(most) ? at + most : end;
  while (p < end && !ends_unquoted(*p) && !is_escape(p, end)) {
    ++p;
  }
  return p;
}

bool has(std::string_view text, CharClass wanted) {
  return std::any_of(text.begin(), text.end(), [wanted](char c) { return is(c, wanted); });
}

bool all(std::string_view text, CharClass wanted) {
  return std::all_of(text.begin(), text.end(), [wanted](char c) { return is(c, wanted); });
}

/// A part of a name that is long and random is no name.
bool has_random_part(std::string_view name) {
  constexpr std::size_t kLeast = 20;
  std::size_t at = 0;
  while (at < name.size()) {
    const char* const end = run_end(name.data() + at, name.data() + name.size(), kAlnum);
    const std::string_view part = between(name.data() + at, end);
    if (part.size() >= kLeast && has(part, kDigit) && looks_random(part)) {
      return true;
    }
    at += part.size() + 1;
  }
  return false;
}

/// `settings.api_key`, `get_token(`, `headers[`, `Auth::token`: names and what joins them.
bool is_code(std::string_view value) {
  if (value.ends_with(':')) {
    value.remove_suffix(1);  // of a condition
  }
  const char* p = value.data();
  const char* const end = p + value.size();
  bool joined = false;
  while (p < end) {
    if (is(*p, kDigit)) {
      return false;
    }
    const char* const name = run_end(p, end, kWord);
    if (name == p || has_random_part(between(p, name))) {
      return false;
    }
    if (name == end) {
      return joined;
    }
    if (*name == '(' || *name == '[' || *name == '{') {
      return true;
    }
    const std::string_view rest = between(name, end);
    const std::size_t joiner =
        rest.starts_with("->") || rest.starts_with("::") || rest.starts_with("?.") ? 2
        : *name == '.'                                                             ? 1
                                                                                   : 0;
    if (joiner == 0) {
      return false;
    }
    joined = true;
    p = name + joiner;
  }
  return joined;
}

/// `password = password`, `token=token`, `apiKey: apiKey`: a name that names the same.
bool is_sensitive_name(std::string_view value) {
  return all(value, kToken) && !has(value, kDigit) &&
         key_before(value.data(), value.data() + value.size()).kind != KeyKind::none;
}

/// `/etc/ssl/site1.key`, `~/.ssh/id_ed25519`: where a secret lies. Base64 may begin with a slash,
/// too.
bool is_path(std::string_view value) {
  const bool drive = value.size() >= 3 && is(value[0], kLetter) && value[1] == ':' &&
                     (value[2] == '/' || value[2] == '\\');
  const bool rooted = value.starts_with('/');
  if (!drive && !rooted && !value.starts_with("~/") && !value.starts_with("./") &&
      !value.starts_with("../")) {
    return false;
  }
  const std::string_view rest = value.substr(1);
  if (rooted && rest.find('/') == std::string_view::npos &&
      rest.find('.') == std::string_view::npos) {
    return false;
  }
  std::size_t at = 0;
  while (at < value.size()) {
    const char* const end = run_end(value.data() + at, value.data() + value.size(), kAlnum);
    const std::string_view part = between(value.data() + at, end);
    const bool mixed = has(part, kLower) && has(part, kUpper) && has(part, kDigit);
    if ((mixed && part.size() >= 8) || (part.size() >= 20 && has(part, kDigit)) ||
        (end < value.data() + value.size() && (*end == '+' || *end == '='))) {
      return false;
    }
    at += part.size() + 1;
  }
  return true;
}

/// A colour, a path, or an address whose own parts are looked at by themselves.
bool is_harmless(std::string_view value) {
  const bool color = value.size() <= 9 && value.starts_with('#') &&
                     std::all_of(value.begin() + 1, value.end(), [](char c) {
                       return is(c, kDigit | kHexLetter);
                     });
  return color || value.starts_with("https://") || value.starts_with("http://") || is_path(value);
}

/// What a sentence goes on with: small letters, or a capital and small letters.
bool is_plain_word(std::string_view value) {
  return is(value.front(), kLetter) && all(value.substr(1), kLower);
}

/// `index_info`, `password_ptr`: a variable.
bool is_snake_case(std::string_view value) {
  return all(value, kLower | kUnderscore) && has(value.substr(1), kUnderscore);
}

bool looks_machine_made(std::string_view value) {
  if (value.size() < 6 || has(value, kBlank)) {
    return false;
  }
  const bool digits = has(value, kDigit);
  const bool letters = has(value, kLetter);
  if (digits && letters) {
    return true;
  }
  if (digits) {
    return value.size() >= 12;
  }
  const bool mixed = has(value, kLower) && has(value.substr(1), kUpper);
  return (mixed && looks_random(value)) || (value.size() >= 20 && has(value, kBase64Sign)) ||
         (value.size() >= 32 && all(value, kAlnum));
}

bool is_hash_or_id(std::string_view value) {
  const bool hex = std::all_of(
      value.begin(), value.end(), [](char c) { return is(c, kDigit | kHexLetter | kHyphen); });
  return hex && value.size() <= 64;
}

/// What services hand out as keys, but also a hash.
bool is_long_hex(std::string_view value) {
  return value.size() >= 32 && has(value, kDigit) && has(value, kHexLetter) &&
         std::all_of(value.begin(), value.end(), [](char c) { return is(c, kDigit | kHexLetter); });
}

/// "Password is required": what is said about one.
bool is_message(std::string_view value) {
  constexpr std::array<std::string_view, 6> kWords{
      "password", "passwort", "required", "invalid", "must", "incorrect"};
  if (!has(value, kBlank)) {
    return false;
  }
  std::string folded(value);
  std::transform(folded.begin(), folded.end(), folded.begin(), to_lower);
  return std::any_of(kWords.begin(), kWords.end(), [&folded](std::string_view word) {
    return folded.find(word) != std::string::npos;
  });
}

/// Behind `REDISCLI_AUTH=` and the like; what such variables switch on or off is none.
bool is_login(std::string_view value) {
  constexpr std::size_t kLeast = 8;
  constexpr std::array<std::string_view, 6> kWords{
      "disabled", "required", "optional", "publickey", "anonymous", "kerberos"};
  const bool word = std::any_of(kWords.begin(), kWords.end(), [value](std::string_view known) {
    return equals_folded(value, known);
  });
  return value.size() >= kLeast && has(value, kLetter) && !has(value, kBlank) && !word &&
         value.front() != '/';
}

/// `$NAME`, `$1`: a variable. In quotes, what has digits among small letters is one that people
/// chose.
bool is_variable(std::string_view value, bool quoted) {
  if (value.size() < 2 || value.front() != '$' || looks_random(value)) {
    return false;
  }
  const std::string_view name = value.substr(1);
  if (all(name, kDigit)) {
    return name.size() <= 2;
  }
  return all(name, kWord) && !is(name.front(), kDigit) &&
         !(quoted && has(name, kDigit) && has(name, kLower));
}

/// `%s`, `%s:%s`
bool is_only_formats(std::string_view value) {
  constexpr std::string_view kFormat = "%s";
  bool found = false;
  while (!value.empty()) {
    const bool format = value.starts_with(kFormat);
    if (!format && is(value.front(), kAlnum | kOther)) {
      return false;
    }
    found = found || format;
    value.remove_prefix(format ? kFormat.size() : 1);
  }
  return found;
}

/// Names a place from which the secret comes. A password in quotes may begin so: there the whole of
/// it must have the form.
bool refers(std::string_view value, bool quoted) {
  struct Form {
    std::string_view begin;
    std::string_view end;
  };
  constexpr Form kForms[] = {{"<", ">"},
                             {"${", "}"},
                             {"$(", ")"},
                             {"{", "}"},
                             {"#{", "}"},
                             {"%{", "}"},
                             {"%(", ")s"},
                             {"[", "]"},
                             {"@@", "@@"}};
  for (const Form& form : kForms) {
    if (value.starts_with(form.begin) &&
        (!quoted || (value.ends_with(form.end) && value.size() > form.begin.size()))) {
      return true;
    }
  }
  constexpr std::string_view kSchemes[] = {"$env:", "op://", "vault:"};
  for (const std::string_view scheme : kSchemes) {
    if (value.starts_with(scheme)) {
      return true;
    }
  }
  if (is_variable(value, quoted) || is_only_formats(value) || value == "…") {
    return true;
  }
  return !quoted && (value.starts_with("%s") || value.front() == '|' || value.front() == '&');
}

}  // namespace

Value read_value(const char* at, const char* end) {
  Value value;
  const char* p = at;
  while (p < end && is(*p, kBlank) && p - at < static_cast<std::ptrdiff_t>(kMostBlanks)) {
    ++p;
  }
  value.after_blank = p > at;
  // A prefix of the quote: r"", b'', f"", L"", @"", $"".
  const char* opening = p;
  if (p + 1 < end && is(p[1], kQuote) &&
      std::string_view("rbfuL@$&").find(*p) != std::string_view::npos) {
    ++opening;
  }
  const char* const backslashes = opening;
  while (opening < end && *opening == '\\' && opening - backslashes < 8) {
    ++opening;
  }
  if (opening < end && is(*opening, kQuote)) {
    const char* content = opening + 1;
    // """…""", with the backslashes that each of the three has.
    const std::string_view quote = between(backslashes, content);
    const std::string_view two = between(content, end).substr(0, 2 * quote.size());
    if (two.size() == 2 * quote.size() && two.starts_with(quote) && two.ends_with(quote)) {
      content += two.size();
    }
    value.quote = *opening;
    value.escapes = static_cast<std::size_t>(opening - backslashes);
    const char* const closing = closing_quote(content, end, value.quote, value.escapes, kReach);
    value.before = static_cast<std::size_t>(content - at);
    value.quoted = true;
    value.open = closing == nullptr;
    value.size = static_cast<std::size_t>(
        (closing != nullptr ? closing : unquoted_end(content, end, kMostUnquoted)) - content);
    return value;
  }
  value.before = static_cast<std::size_t>(p - at);
  value.size = static_cast<std::size_t>(unquoted_end(p, end, kMostUnquoted) - p);
  value.open = value.size >= kMostUnquoted;
  return value;
}

const char* whole_value_end(const char* begin, const Value& value, const char* end) {
  if (!value.open) {
    return begin + value.size;
  }
  const auto all_of_it = static_cast<std::size_t>(end - begin);
  const char* const closing =
      value.quoted ? closing_quote(begin, end, value.quote, value.escapes, all_of_it) : nullptr;
  return closing != nullptr ? closing : unquoted_end(begin, end, all_of_it);
}

std::size_t rest_of_line(const char* at, const char* end) {
  const char* p = at;
  end = end - at > static_cast<std::ptrdiff_t>(kReach) ? at + kReach : end;
  while (p < end && *p != '\n' && *p != '"' && *p != '`' && !is_escape(p, end)) {
    ++p;
  }
  while (p > at && (is(p[-1], kBlank) || p[-1] == ',' || p[-1] == '\'')) {
    --p;
  }
  return static_cast<std::size_t>(p - at);
}

bool is_placeholder(std::string_view value, bool quoted) {
  if (value.empty() || value.starts_with("<redacted")) {
    return true;
  }
  value = value.substr(0, kLook);
  if (refers(value, quoted)) {
    return true;
  }
  constexpr std::array<std::string_view, 27> kWords{
      "nullptr", "true",     "false",    "null",      "none",    "nil",     "undefined",
      "string",  "str",      "number",   "int",       "bool",    "boolean", "any",
      "object",  "required", "optional", "yes",       "no",      "empty",   "unset",
      "bytes",   "text",     "self",     "secretstr", "varchar", "redacted"};
  std::string_view word = value;
  if (!quoted) {
    // ?string, string?, String!, str[…], string|null
    word.remove_prefix(word.starts_with('?') ? 1 : 0);
    word = word.substr(0, word.find_first_of("?|[("));
    word.remove_suffix(word.ends_with('!') ? 1 : 0);
  }
  if (std::any_of(kWords.begin(), kWords.end(), [word](std::string_view known) {
        return equals_folded(word, known);
      })) {
    return true;
  }
  // Nothing but one character again and again, or no letter and no digit at all.
  const bool one = std::all_of(value.begin(), value.end(), [&value](char c) {
    return to_lower(c) == to_lower(value.front());
  });
  return (one && (value.front() == 'x' || value.front() == 'X' || value.size() == 1)) ||
         !has(value, kAlnum | kOther);
}

bool is_secret_value(std::string_view value, const Value& shape, KeyKind kind, Manner manner) {
  value = value.substr(0, kLook);
  // Only people choose what begins as a reference does; patterns begin so as well.
  if (is_placeholder(value, shape.quoted && kind == KeyKind::password)) {
    return false;
  }
  const bool code =
      !shape.quoted && manner != Manner::environment &&
      (is_code(value) || value.front() == '(' || value.front() == '!' || value.front() == '*');
  if (code || (kind != KeyKind::password && is_harmless(value))) {
    return false;
  }
  switch (kind) {
    case KeyKind::cookie:
      return value.find('=') != std::string_view::npos ||
             (value.size() >= 16 && looks_machine_made(value));
    case KeyKind::authorization:
      return value.size() >= 6 && has(value, kDigit | kBase64Sign | kUpper);
    case KeyKind::login:
      if (shape.quoted || (manner == Manner::environment && !shape.after_blank)) {
        return is_login(value);
      }
      [[fallthrough]];
    case KeyKind::weak:
      if (manner == Manner::environment && !shape.after_blank && is_long_hex(value)) {
        return true;  // STRIPE_KEY=…
      }
      return value.size() >= 16 && looks_random(value) && !is_hash_or_id(value) &&
             !has(value, kBlank);
    default:
      break;
  }
  if (is_sensitive_name(value)) {
    return false;
  }
  if (kind == KeyKind::password) {
    if (shape.quoted && is_message(value)) {
      return false;
    }
    const bool word = !shape.quoted && (manner == Manner::label ? is_plain_word(value)
                                                                : manner != Manner::environment &&
                                                                      is_snake_case(value));
    return !word;
  }
  if (manner == Manner::environment && !shape.after_blank) {
    return !all(value, kDigit) || value.size() >= 12;
  }
  return looks_machine_made(value);
}

}  // namespace daybook::redact
