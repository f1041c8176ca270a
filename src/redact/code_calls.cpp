// SPDX-License-Identifier: MIT
#include "redact/code_calls.hpp"

#include "redact/key_values.hpp"
#include "redact/secret_values.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostName = 64;

bool has(std::string_view text, CharClass wanted) {
  return std::any_of(text.begin(), text.end(), [wanted](char c) { return is(c, wanted); });
}

std::string_view shape_of(KeyKind kind) {
  return kind == KeyKind::password ? "password" : "sensitive-value";
}

bool is_strong(KeyKind kind) { return kind == KeyKind::password || kind == KeyKind::secret; }

/// A value in quotes that begins at `at`, behind blanks; its size is 0 if there is none.
Value quoted_value(const Cursor& cursor, const char* at) {
  const Value value = read_value(at, cursor.end);
  cursor.looked_at(at - cursor.at + static_cast<std::ptrdiff_t>(value.before + value.size));
  return value.quoted && !value.open ? value : Value{};
}

Hit hit_at(const Cursor& cursor, const char* at, const Value& value, std::string_view shape) {
  return value_hit(cursor, whole_place(cursor, value, at + value.before), shape);
}

/// A password, where a word in quotes may as well be the name of a field.
bool is_telling(std::string_view text) {
  return text.size() >= 6 && !has(text, kBlank) && has(text, kDigit) && has(text, kLetter);
}

/// `setPassword`, `with_token`, `updateSecret`.
bool hands_over(const Key& key) {
  std::string_view name = between(key.begin, key.end);
  name = name.substr(name.rfind('.') + 1);
  constexpr std::array<std::string_view, 4> kVerbs{"set", "with", "update", "change"};
  return std::any_of(kVerbs.begin(), kVerbs.end(), [name](std::string_view verb) {
    return name.size() > verb.size() && equals_folded(name.substr(0, verb.size()), verb) &&
           !is(name[verb.size()], kLower);
  });
}

/// `("password", "…")`
Hit match_pair(const Cursor& cursor) {
  const char quote = cursor.peek(1);
  const char* const name = cursor.at + 2;
  const char* const name_end = run_end(name, cursor.end, kToken, kMostName);
  if (name_end == name || cursor.peek_at(name_end) != quote ||
      cursor.peek_at(name_end + 1) != ',') {
    return {};
  }
  const Key key = key_before(name, name_end);
  const char* const at = name_end + 2;
  if (!is_strong(key.kind)) {
    return {};
  }
  const Value value = quoted_value(cursor, at);
  const std::string_view text(at + value.before, value.size);
  const bool last = cursor.peek_at(text.data() + text.size() + 1) == ')';
  return last && is_telling(text) && is_secret_value(text, value, key.kind, Manner::assignment)
             ? hit_at(cursor, at, value, shape_of(key.kind))
             : Hit{};
}

}  // namespace

Hit match_call(const Cursor& cursor) {
  if (!is(cursor.peek(1), kQuote)) {
    return {};
  }
  const Key key = key_before(cursor.left_begin, cursor.left_end);
  if (!is_strong(key.kind) || !hands_over(key)) {
    return match_pair(cursor);
  }
  const Value value = quoted_value(cursor, cursor.at + 1);
  const std::string_view text(cursor.at + 1 + value.before, value.size);
  return !text.empty() && is_secret_value(text, value, key.kind, Manner::assignment)
             ? hit_at(cursor, cursor.at + 1, value, shape_of(key.kind))
             : Hit{};
}

Hit match_define(const Cursor& cursor) {
  constexpr std::string_view kDefine = "#define ";
  if (!cursor.starts_with(kDefine)) {
    return {};
  }
  const char* const name = cursor.at + kDefine.size();
  const char* const name_end = run_end(name, cursor.end, kWord, kMostName);
  const Key key = key_before(name, name_end);
  if (!is_strong(key.kind) || !is(cursor.peek_at(name_end), kBlank)) {
    return {};
  }
  const Value value = quoted_value(cursor, name_end);
  const std::string_view text(name_end + value.before, value.size);
  return !text.empty() && is_secret_value(text, value, key.kind, Manner::assignment)
             ? hit_at(cursor, name_end, value, shape_of(key.kind))
             : Hit{};
}

Hit match_sql_password(const Cursor& cursor) {
  constexpr std::string_view kPassword = "password";
  const std::string_view word = cursor.rest().substr(0, kPassword.size());
  if (!equals_folded(word, kPassword) || !is(cursor.peek(kPassword.size()), kBlank) ||
      !token_may_begin(cursor)) {
    return {};
  }
  const char* const at = cursor.at + kPassword.size();
  const Value value = quoted_value(cursor, at);
  const std::string_view text(at + value.before, value.size);
  // In small letters it may be a sentence: the password 'field'.
  const bool statement = !has(word, kLower) && value.quote == '\'';
  return !text.empty() && (statement || is_telling(text)) && !is_placeholder(text, true)
             ? hit_at(cursor, at, value, "password")
             : Hit{};
}

Hit match_identified(const Cursor& cursor) {
  constexpr std::string_view kIdentified = "identified";
  constexpr std::string_view kBy = " by ";
  if (!equals_folded(cursor.rest().substr(0, kIdentified.size()), kIdentified) ||
      !token_may_begin(cursor)) {
    return {};
  }
  // IDENTIFIED WITH plugin BY '…'
  const std::string_view near = cursor.rest().substr(kIdentified.size(), kMostName);
  std::size_t by = 0;
  while (by + kBy.size() <= near.size() && !equals_folded(near.substr(by, kBy.size()), kBy)) {
    ++by;
  }
  cursor.looked_at(static_cast<std::ptrdiff_t>(by));
  if (by + kBy.size() > near.size()) {
    return {};
  }
  const char* const at = near.data() + by + kBy.size();
  const Value value = quoted_value(cursor, at);
  const std::string_view text(at + value.before, value.size);
  return !is_placeholder(text, true) ? hit_at(cursor, at, value, "password") : Hit{};
}

}  // namespace daybook::redact
