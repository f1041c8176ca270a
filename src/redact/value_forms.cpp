// SPDX-License-Identifier: MIT
#include "redact/value_forms.hpp"

#include "redact/characters.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

/// The end is there, and a word ends with it.
bool closes(std::string_view text, std::string_view end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) {
    return false;
  }
  const std::string_view rest = text.substr(at + end.size());
  return rest.empty() || std::string_view(" ,;.)]}'\"`*\\").find(rest.front()) != rest.npos;
}

/// `$NAME`; `$ecret` may be somebody's password.
bool is_variable(std::string_view value) {
  const auto end =
      std::find_if(value.begin() + 1, value.end(), [](char c) { return !is(c, kWord); });
  const auto size = static_cast<std::size_t>(end - value.begin());
  const std::string_view name = value.substr(1, size - 1);
  const bool whole =
      size == value.size() || std::string_view(" ,;.)]}'\"`*\\:/").find(value[size]) != value.npos;
  const bool small = has_only(name, kLower | kUnderscore) &&
                     (has_any(name, kUnderscore) || name == "token" || name == "password" ||
                      name == "secret" || name == "key");
  return whole && !name.empty() && !is(name.front(), kDigit) &&
         (has_only(name, kUpper | kDigit | kUnderscore) || small);
}

}  // namespace

bool is_code(std::string_view value) {
  for (const std::string_view keyword : {"await ", "new "}) {
    value.remove_prefix(value.starts_with(keyword) ? keyword.size() : 0);
  }
  const std::size_t open = value.find_first_of("([");
  if (open == 0 || open == std::string_view::npos ||
      !has_only(value.substr(0, open), kLetter | kUnderscore | kDot)) {
    return false;
  }
  const std::size_t close = value.find(value[open] == '(' ? ')' : ']', open);
  return close != std::string_view::npos && value.find(' ') > open &&
         closes(value.substr(open), value.substr(close, 1));
}

bool is_placeholder(std::string_view value, Secret secret) {
  constexpr std::size_t kMost = 40;
  constexpr std::array<std::string_view, 10> kWords{
      "your", "the", "token", "password", "secret", "key", "value", "here", "insert", "some"};
  if (value.empty() || (value.front() != '<' && value.front() != '[')) {
    return false;
  }
  const std::size_t end = value.substr(0, kMost).find(value.front() == '<' ? '>' : ']');
  if (end == std::string_view::npos || end < 2) {
    return false;
  }
  const std::string_view inside = value.substr(1, end - 1);
  if (value.front() == '[') {
    return secret == Secret::token && has_only(inside, kUpper | kUnderscore);
  }
  if (secret == Secret::token && (inside.front() == '/' || inside.front() == '|' ||
                                  (inside.size() <= 4 && has_only(inside, kLower)))) {
    return true;
  }
  if (!has_only(inside, kLetter | kHyphen | kUnderscore | kBlank)) {
    return false;
  }
  std::size_t at = 0;
  while (at < inside.size()) {
    const std::size_t next = std::min(inside.find_first_of("-_ ", at), inside.size());
    const std::string_view word = inside.substr(at, next - at);
    if (std::any_of(kWords.begin(), kWords.end(), [word](std::string_view known) {
          return equals_folded(word, known);
        })) {
      return true;
    }
    at = next + 1;
  }
  return false;
}

bool is_chord(std::string_view word) {
  constexpr std::array<std::string_view, 8> kModifiers{
      "alt", "ctrl", "control", "shift", "cmd", "command", "option", "meta"};
  const std::size_t plus = word.find('+');
  return plus != std::string_view::npos && plus + 1 < word.size() &&
         std::any_of(kModifiers.begin(), kModifiers.end(), [&](std::string_view known) {
           return equals_folded(word.substr(0, plus), known);
         });
}

bool is_left_out(std::string_view value) {
  value = value.substr(0, value.find(' '));
  const std::size_t begin = std::min(value.find_first_not_of("\"'`"), value.size());
  const bool empty_quotes = begin >= 2 && !has_any(value.substr(begin), kAlnum | kOther);
  value = value.substr(begin, value.find_first_of("\"'`,;", begin) - begin);
  const bool one = std::all_of(value.begin(), value.end(), [value](char c) {
    return to_lower(c) == to_lower(value.front());
  });
  return empty_quotes || value == "\u2026" ||
         (value.size() >= 3 && one && (!has_any(value, kAlnum) || to_lower(value[0]) == 'x'));
}

bool is_place(std::string_view word) {
  constexpr std::array<std::string_view, 5> kBegins{"~/", "./", "../", "https://", "http://"};
  const bool begins = std::any_of(kBegins.begin(), kBegins.end(), [word](std::string_view begin) {
    return word.starts_with(begin);
  });
  const bool rooted =
      word.starts_with('/') && word.find('/', 1) != std::string_view::npos &&
      has_only(word, kLower | kDigit | kUnderscore | kHyphen | kDot | kBase64Sign) &&
      word.find_first_of("+=") == std::string_view::npos;
  return begins || rooted;
}

bool is_reference(std::string_view value) {
  constexpr std::size_t kMost = 200;
  constexpr std::array<std::string_view, 10> kBegins{"process.env",
                                                     "os.environ",
                                                     "os.getenv",
                                                     "getenv(",
                                                     "import.meta.env",
                                                     "env.",
                                                     "secrets.",
                                                     "$env:",
                                                     "op://",
                                                     "vault:"};
  const std::size_t begin = value.find_first_not_of(" \t\"'`*\\");
  value = value.substr(std::min(begin, value.size())).substr(0, kMost);
  if (value.starts_with("${{") || value.starts_with("{{")) {
    return closes(value, "}}");
  }
  if (value.starts_with("${")) {
    const std::size_t end = value.find('}');
    return closes(value, "}") && has_only(value.substr(2, end - 2), kWord | kDot);
  }
  if (value.starts_with("$(")) {
    return closes(value, ")") && !value.starts_with("$(echo") && !value.starts_with("$(printf");
  }
  if (value.starts_with('$') && !value.starts_with("$env:")) {
    return is_variable(value);
  }
  if (value.starts_with('%') && value.size() > 2) {
    const std::size_t end = value.find('%', 1);
    return end != std::string_view::npos && end > 1 &&
           has_only(value.substr(1, end - 1), kUpper | kUnderscore) && closes(value.substr(1), "%");
  }
  return std::any_of(kBegins.begin(), kBegins.end(), [value](std::string_view known) {
    return value.starts_with(known);
  });
}

}  // namespace daybook::redact
