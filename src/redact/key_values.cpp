// SPDX-License-Identifier: MIT
#include "redact/key_values.hpp"

#include "redact/code_values.hpp"
#include "redact/secret_values.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostBehindKey = 8;  // quotes, brackets and blanks between key and separator
constexpr std::size_t kMostLogin = 1024;

/// Where the key ends, behind which quotes, brackets, blanks and marks of emphasis may stand.
const char* key_end_of(const Cursor& cursor) {
  const char* p = cursor.left_end;
  const char* const least =
      cursor.left_end - cursor.left_begin > static_cast<std::ptrdiff_t>(kMostBehindKey)
          ? cursor.left_end - kMostBehindKey
          : cursor.left_begin;
  while (p > least &&
         (is(p[-1], kBlank | kQuote) || p[-1] == '\\' || p[-1] == ']' || p[-1] == '*')) {
    --p;
  }
  return p;
}

/// `password: string = …`: the key stands before the type.
Key key_before_type(const char* begin, const char* type_end) {
  const char* p = type_end;
  while (p > begin &&
         (is(p[-1], kWord | kDot) ||
          std::string_view("&<>[]?|").find(p[-1]) != std::string_view::npos) &&
         type_end - p < 32) {
    --p;
  }
  while (p > begin && is(p[-1], kBlank) && type_end - p < 36) {
    --p;
  }
  if (p == begin || p[-1] != ':') {
    return {};
  }
  --p;
  return key_before(begin, p - (p > begin && p[-1] == '?' ? 1 : 0));
}

/// Only marks of lists, quotes and comments stand between the line's start and the key.
bool begins_line(const Cursor& cursor, const Key& key) {
  constexpr std::string_view kMarks = "-*>#+|{(.";
  const char* p = key.begin;
  if (between(cursor.left_begin, p).ends_with("export ")) {
    p -= 7;
  }
  while (p > cursor.left_begin &&
         key.begin - p < static_cast<std::ptrdiff_t>(kMostBehindKey * 16)) {
    if (p[-1] == '\n' || (p - cursor.left_begin >= 2 && p[-1] == 'n' && p[-2] == '\\')) {
      return true;
    }
    if (!is(p[-1], kBlank | kQuote | kDigit) && kMarks.find(p[-1]) == std::string_view::npos) {
      return false;
    }
    --p;
  }
  return p == cursor.left_begin;
}

std::string_view shape_of(KeyKind kind) {
  switch (kind) {
    case KeyKind::password:
      return "password";
    case KeyKind::cookie:
      return "cookie";
    case KeyKind::authorization:
      return "authorization";
    default:
      return "sensitive-value";
  }
}

/// Length of the separator at the cursor; 0: it is none.
std::size_t separator_size(const Cursor& cursor) {
  const char first = cursor.peek();
  const char next = cursor.peek(1);
  const char before = cursor.before();
  if (first == ':') {
    return next == ':' || before == ':' || cursor.starts_with("://") ? 0 : next == '=' ? 2 : 1;
  }
  if (before == ':' || before == '=' || before == '!' || before == '<' || before == '>' ||
      next == '~') {
    return 0;
  }
  if (next == '=') {
    return cursor.peek(2) == '=' ? 3 : 2;
  }
  return next == '>' ? 2 : 1;
}

/// The scheme of an Authorization header stays.
std::size_t scheme_size(std::string_view value) {
  constexpr std::array<std::string_view, 8> kSchemes{"basic ",
                                                     "bearer ",
                                                     "digest ",
                                                     "token ",
                                                     "apikey ",
                                                     "negotiate ",
                                                     "aws4-hmac-sha256 ",
                                                     "bot "};
  for (const std::string_view scheme : kSchemes) {
    if (equals_folded(value.substr(0, scheme.size()), scheme)) {
      return scheme.size();
    }
  }
  return 0;
}

Hit match_header(const Cursor& cursor, const Key& key, std::size_t separator) {
  const char* const after = cursor.at + separator;
  Value value = read_value(after, cursor.end);
  const char* begin = after + value.before;
  if (!value.quoted) {
    value.size = rest_of_line(begin, cursor.end);
  }
  const std::string_view whole(begin, value.size);
  cursor.looked_at(begin - cursor.at + static_cast<std::ptrdiff_t>(value.size));
  const std::size_t scheme = scheme_size(whole);
  const std::string_view secret = whole.substr(scheme);
  if (secret.starts_with("<redacted") || !is_secret_value(secret, value, key.kind, Manner::label)) {
    return {};
  }
  return value_hit(
      cursor,
      {separator + value.before + scheme, secret.size(), value.quoted, value.size >= kMostUnquoted},
      shape_of(key.kind));
}

Manner manner_of(const Cursor& cursor, const Key& key, bool closed) {
  const bool starts = begins_line(cursor, key);
  const bool direct = cursor.left_end == key.end && cursor.peek() == '=' && cursor.peek(1) != '=' &&
                      !is(cursor.peek(1), kBlank);
  const bool option = key.begin - cursor.left_begin >= 1 && key.begin[0] == '-' &&
                      key.end - key.begin > 2 && key.begin[1] == '-';
  if (direct && ((key.upper_case && !closed) || option)) {
    return Manner::environment;
  }
  if (starts && cursor.peek() == ':') {
    return Manner::heading;
  }
  return cursor.peek() == ':' ? Manner::label : Manner::assignment;
}

/// `?name=value` and `&name=value`, to the end of the value.
Hit match_query(const Cursor& cursor) {
  const char* name = cursor.left_end;
  while (name > cursor.left_begin && is(name[-1], kTokenDot) && cursor.left_end - name < 64) {
    --name;
  }
  if (name == cursor.left_begin || name == cursor.left_end ||
      (name[-1] != '?' && name[-1] != '&' && name[-1] != ';')) {
    return {};
  }
  if (name[-1] == ';' && !between(cursor.left_begin, name).ends_with("&amp;")) {
    return {};
  }
  const KeyKind kind = query_name(between(name, cursor.left_end));
  if (kind == KeyKind::none) {
    return {};
  }
  const char* const begin = cursor.at + 1;
  const char* end = begin;
  while (end < cursor.end && end - begin < static_cast<std::ptrdiff_t>(kMostUnquoted) &&
         !is(*end, kBlank | kQuote) &&
         std::string_view("&<>)]}\\#\n|").find(*end) == std::string_view::npos) {
    ++end;
  }
  const std::string_view value = between(begin, end);
  cursor.looked_at(end - begin);
  const bool doubtful =
      kind == KeyKind::weak && !(value.size() >= 10 && (looks_random(value) || value.size() >= 24));
  if (is_placeholder(value) || doubtful || value.front() == ':') {
    return {};
  }
  return value_hit(cursor, {1, value.size(), false, value.size() >= kMostUnquoted}, "url-query");
}

/// `name:password` behind an option of that many characters. Containers run as `user:group`.
Hit match_login(const Cursor& cursor, std::size_t option) {
  const Value value = read_value(cursor.at + option, cursor.end);
  const std::string_view login(cursor.at + option + value.before, value.size);
  const std::size_t colon = login.find(':');
  if (colon == std::string_view::npos || colon == 0 || login.find('/') < colon) {
    return {};
  }
  const std::string_view name = login.substr(0, colon);
  const std::string_view password = login.substr(colon + 1);
  const bool numbers =
      std::all_of(login.begin(), login.end(), [](char c) { return is(c, kDigit) || c == ':'; });
  const bool group = option > 2 && name == password;
  cursor.looked_at(static_cast<std::ptrdiff_t>(option + value.before + value.size));
  if (is_placeholder(password) || numbers || group) {
    return {};
  }
  return value_hit(cursor,
                   {option + value.before + colon + 1,
                    password.size(),
                    value.quoted,
                    value.size >= kMostUnquoted},
                   "password");
}

}  // namespace

Hit value_hit(const Cursor& cursor, const Place& place, std::string_view shape) {
  const auto [keep, size, quoted, cut] = place;
  Hit hit;
  const char* value_end = cursor.at + keep + size;
  if (cut) {
    value_end = whole_value_end(value_end, cursor.end);
  }
  hit.keep = keep;
  hit.consume = static_cast<std::size_t>(value_end - cursor.at) - keep;
  hit.marker = kMarker;
  hit.shape = shape;
  const char* const last = end_of_pieces(value_end, cursor.end);
  if (last != value_end && (quoted || looks_random(between(cursor.at + keep, value_end)))) {
    hit.consume += static_cast<std::size_t>(last - value_end);
  }
  hit.wraps = wraps_here(cursor.at + keep + hit.consume, cursor.end) &&
              looks_random(between(cursor.at + keep, value_end));
  return hit;
}

bool follows_in_prose(std::string_view text) {
  constexpr std::array<std::string_view, 16> kWords{"option",
                                                    "options",
                                                    "flag",
                                                    "flags",
                                                    "and",
                                                    "or",
                                                    "is",
                                                    "to",
                                                    "for",
                                                    "argument",
                                                    "arguments",
                                                    "parameter",
                                                    "with",
                                                    "in",
                                                    "on",
                                                    "from"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

Hit match_key_value(const Cursor& cursor) {
  const std::size_t separator = separator_size(cursor);
  if (separator == 0) {
    return {};
  }
  if (*cursor.at == '=' && is(cursor.before(), kToken)) {
    if (const Hit hit = match_query(cursor); hit) {
      return hit;
    }
  }
  const char* const key_end = key_end_of(cursor);
  Key key = key_before(cursor.left_begin, key_end);
  if (key.kind == KeyKind::none && *cursor.at == '=') {
    key = key_before_type(cursor.left_begin, key_end);
  }
  if (key.kind == KeyKind::none) {
    return {};
  }
  if (key.kind == KeyKind::cookie || key.kind == KeyKind::authorization) {
    return match_header(cursor, key, separator);
  }
  const char* after = cursor.at + separator;
  while (cursor.peek_at(after) == '*' && after - cursor.at < 4) {
    ++after;  // **Password:** …
  }
  const Manner manner = manner_of(cursor, key, key_end != cursor.left_end);
  Value value = read_value(after, cursor.end);
  const char* const begin = after + value.before;
  cursor.looked_at(begin - cursor.at + static_cast<std::ptrdiff_t>(value.size));
  const std::string_view text(begin, value.size);
  if (is_no_literal(cursor, key, text, value) || !is_secret_value(text, value, key.kind, manner)) {
    return {};
  }
  const bool names_rest =
      key.kind == KeyKind::password && manner == Manner::heading && !value.quoted;
  if (names_rest) {
    value.size = std::max(value.size, rest_of_line(begin, cursor.end));
  }
  return value_hit(cursor,
                   {static_cast<std::size_t>(begin - cursor.at),
                    value.size,
                    value.quoted,
                    value.size >= kMostUnquoted},
                   shape_of(key.kind));
}

Hit match_option_value(const Cursor& cursor) {
  if (is(cursor.before(), kToken) || !is(cursor.peek(2), kLetter | kBlank)) {
    return {};
  }
  if (cursor.starts_with("-u ")) {
    return match_login(cursor, 2);
  }
  if (!cursor.starts_with("--")) {
    return {};
  }
  const char* const name = run_end(cursor.at + 2, cursor.end, kToken, 64);
  if (between(cursor.at, name) == "--user" &&
      (is(cursor.peek_at(name), kBlank) || cursor.peek_at(name) == '=')) {
    return match_login(cursor, cursor.peek_at(name) == '=' ? 7 : 6);
  }
  if (!is(cursor.peek_at(name), kBlank)) {
    return {};
  }
  const Key key = key_before(cursor.at + 2, name);
  if (key.kind != KeyKind::password && key.kind != KeyKind::secret) {
    return {};
  }
  const Value value = read_value(name, cursor.end);
  const std::string_view text(name + value.before, value.size);
  cursor.looked_at(text.data() - cursor.at + static_cast<std::ptrdiff_t>(value.size));
  if (text.starts_with("-") || follows_in_prose(text) ||
      !is_secret_value(text, value, key.kind, Manner::assignment)) {
    return {};
  }
  return value_hit(cursor,
                   {static_cast<std::size_t>(text.data() - cursor.at),
                    text.size(),
                    value.quoted,
                    text.size() >= kMostUnquoted},
                   shape_of(key.kind));
}

Hit match_element(const Cursor& cursor) {
  const Key key = key_before(cursor.left_begin, cursor.left_end);
  if (key.kind == KeyKind::none || key.begin == cursor.left_begin || key.begin[-1] != '<') {
    return {};
  }
  const char* end = cursor.at + 1;
  while (end < cursor.end && *end != '<' && *end != '\n' &&
         end - cursor.at < static_cast<std::ptrdiff_t>(kReach)) {
    ++end;
  }
  Value shape;
  shape.quoted = true;
  const std::string_view text = between(cursor.at + 1, end);
  cursor.looked_at(end - cursor.at);
  if (cursor.peek_at(end) != '<' || text.empty() ||
      !is_secret_value(text, shape, key.kind, Manner::assignment)) {
    return {};
  }
  return value_hit(cursor, {1, text.size(), true, false}, shape_of(key.kind));
}

Hit match_url_login(const Cursor& cursor) {
  if (!cursor.starts_with("://") || !is(cursor.before(), kAlnum)) {
    return {};
  }
  const char* const begin = cursor.at + 3;
  const char* const last = cursor.end - begin > static_cast<std::ptrdiff_t>(kMostLogin)
                               ? begin + kMostLogin
                               : cursor.end;
  const char* at_sign = nullptr;
  const char* colon = nullptr;
  const char* p = begin;
  for (; p < last && !is(*p, kBlank | kQuote) &&
         std::string_view("/?#<>\n\\()[]{},|").find(*p) == std::string_view::npos;
       ++p) {
    if (*p == '@') {
      at_sign = p;
    } else if (*p == ':' && colon == nullptr) {
      colon = p;
    }
  }
  cursor.looked_at(p - cursor.at);
  if (at_sign == nullptr) {
    return {};
  }
  const char* const name_end = colon != nullptr && colon < at_sign ? colon : at_sign;
  const std::string_view name = between(begin, name_end);
  // An error tracker's address names its project by 32 hexadecimal digits, random-looking or not.
  const bool project = name.size() == 32 && std::all_of(name.begin(), name.end(), [](char c) {
                         return is(c, kDigit | kHexLetter);
                       });
  if (project || (name.size() >= 16 && looks_random(name))) {
    return value_hit(
        cursor, {3, static_cast<std::size_t>(at_sign - begin), false, false}, "url-password");
  }
  if (name_end == at_sign || is_placeholder(between(name_end + 1, at_sign))) {
    return {};
  }
  return value_hit(cursor,
                   {static_cast<std::size_t>(name_end + 1 - cursor.at),
                    static_cast<std::size_t>(at_sign - name_end) - 1,
                    false,
                    false},
                   "url-password");
}

}  // namespace daybook::redact
