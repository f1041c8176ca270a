// SPDX-License-Identifier: MIT
#include "redact/key_values.hpp"

#include "redact/code_values.hpp"
#include "redact/enclosure.hpp"
#include "redact/secret_values.hpp"
#include "redact/url_secrets.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostBehindKey = 8;  // quotes and brackets between key and separator
constexpr std::size_t kMostBlanks = 64;    // among them: tables are aligned
constexpr std::size_t kLeastCookie = 16;   // characters of one without a name
constexpr std::size_t kMostCommand = 256;  // characters before an option
constexpr std::size_t kLeastJudged = 4;    // characters of a value; fewer say nothing

/// Where the key ends, behind which quotes, brackets, blanks and marks of emphasis may stand.
const char* key_end_of(const Cursor& cursor) {
  const char* p = cursor.left_end;
  std::size_t marks = 0;
  std::size_t blanks = 0;
  while (p > cursor.left_begin) {
    const bool blank = is(p[-1], kBlank);
    const bool mark = is(p[-1], kQuote) || p[-1] == '\\' || p[-1] == ']' || p[-1] == '*';
    if ((!blank && !mark) || (blank ? ++blanks > kMostBlanks : ++marks > kMostBehindKey)) {
      break;
    }
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
  while (p > cursor.left_begin && key.begin - p < static_cast<std::ptrdiff_t>(2 * kMostBlanks)) {
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

Hit match_header(const Cursor& cursor, const Key& key, std::size_t separator, bool closed) {
  const char* const after = cursor.at + separator;
  const Value value = read_value(after, cursor.end);
  const char* const begin = after + value.before;
  const std::string_view near = between(begin, cursor.end).substr(0, kMostUnquoted);
  if (key.kind == KeyKind::cookie && !value.quoted && value.size < kLeastCookie &&
      near.find('=') == std::string_view::npos) {
    return {};  // told at once: a line may have many
  }
  const Enclosure enclosure = closed ? Enclosure{} : enclosure_of(cursor, key.begin);
  const char* end = value.quoted ? begin + std::min(value.size, kMostUnquoted)
                                 : end_of(enclosure, begin, cursor.end, kMostUnquoted);
  cursor.looked_at(begin - cursor.at + static_cast<std::ptrdiff_t>(value.size) + (end - begin));
  const std::size_t scheme = scheme_size(between(begin, end));
  const std::string_view shown = between(begin, end).substr(scheme);
  if (shown.starts_with("<redacted") || !is_secret_value(shown, value, key.kind, Manner::label)) {
    return {};
  }
  // It is one: now all of it, however long it is.
  end = value.quoted ? whole_value_end(begin, value, cursor.end)
                     : end_of(enclosure, begin, cursor.end, cursor.rest().size());
  while (!value.quoted && end > begin &&
         (is(end[-1], kBlank) ||
          (enclosure.kind != Enclosure::Kind::line && (end[-1] == ',' || end[-1] == '\'')))) {
    --end;
  }
  const std::size_t keep = separator + value.before + scheme;
  const auto size = static_cast<std::size_t>(end - cursor.at) - keep;
  return value_hit(cursor, {keep, size, value.quoted}, shape_of(key.kind));
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

/// The end of `KEY=value` at the beginning of a line or a string, up to a blank, whatever
/// delimiters the value has; nullptr: it does not stand so.
const char* line_value_end(
    const Cursor& cursor, const Key& key, const Value& value, const char* begin, std::size_t most) {
  if (value.quoted || value.after_blank || *cursor.at != '=' || cursor.peek(1) == '=' ||
      cursor.left_end != key.end || key.kind == KeyKind::weak) {
    return nullptr;
  }
  const Enclosure enclosure = enclosure_of(cursor, key.begin);
  const char* const before = key.begin - cursor.left_begin >= 1 ? key.begin - 1 : nullptr;
  // Indented, `password=value,` is an argument.
  const bool sets = key.upper_case || before == nullptr || !is(*before, kBlank) ||
                    between(cursor.left_begin, key.begin).ends_with("export ");
  if (!sets || !enclosure.at_start || enclosure.kind == Enclosure::Kind::unknown) {
    return nullptr;
  }
  // In one walk, so that nothing is read which is not consumed.
  const char* const end = end_of(enclosure, begin, cursor.end, most, Blanks::end_it);
  cursor.looked_at(end - begin);
  return end;
}

/// `name:password` behind an option of that many characters. Containers run as `user:group`.
Hit match_login(const Cursor& cursor, std::size_t option) {
  const Value value = read_value(cursor.at + option, cursor.end);
  const std::string_view login(cursor.at + option + value.before, value.size);
  const std::size_t colon = login.find(':');
  if (colon == std::string_view::npos || colon == 0 || login.find('/') < colon ||
      login.substr(colon).starts_with("://")) {
    return {};
  }
  const std::string_view name = login.substr(0, colon);
  const std::string_view password = login.substr(colon + 1);
  const bool numbers =
      std::all_of(login.begin(), login.end(), [](char c) { return is(c, kDigit) || c == ':'; });
  // Containers run as node:node; curl means a password even then.
  const bool curl = cursor.left(kMostCommand).find("curl") != std::string_view::npos;
  const bool group = name == password && !curl;
  cursor.looked_at(static_cast<std::ptrdiff_t>(option + value.before + value.size));
  if (is_placeholder(password, value.quoted) || numbers || group) {
    return {};
  }
  const char* const begin = cursor.at + option + value.before;
  const auto whole = static_cast<std::size_t>(whole_value_end(begin, value, cursor.end) - begin);
  return value_hit(
      cursor, {option + value.before + colon + 1, whole - colon - 1, value.quoted}, "password");
}

}  // namespace

Hit value_hit(const Cursor& cursor, const Place& place, std::string_view shape) {
  const auto [keep, size, quoted] = place;
  Hit hit;
  const char* const value_end = cursor.at + keep + size;
  cursor.looked_at(static_cast<std::ptrdiff_t>(size));
  hit.keep = keep;
  hit.consume = static_cast<std::size_t>(value_end - cursor.at) - keep;
  hit.marker = kMarker;
  hit.shape = shape;
  const bool random = looks_random(between(cursor.at + keep, value_end));
  if (quoted || random) {
    const char* const last = end_of_pieces(value_end, cursor.end);
    cursor.looked_at(last - value_end);
    hit.consume += static_cast<std::size_t>(last - value_end);
  }
  hit.wraps = random && wraps_here(cursor.at + keep + hit.consume, cursor.end);
  return hit;
}

Place whole_place(const Cursor& cursor, const Value& value, const char* begin) {
  return {static_cast<std::size_t>(begin - cursor.at),
          static_cast<std::size_t>(whole_value_end(begin, value, cursor.end) - begin),
          value.quoted};
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
    return match_header(cursor, key, separator, key_end != cursor.left_end);
  }
  const char* after = cursor.at + separator;
  while (cursor.peek_at(after) == '*' && after - cursor.at < 4) {
    ++after;  // **Password:** …
  }
  const Manner manner = manner_of(cursor, key, key_end != cursor.left_end);
  const Value value = read_value(after, cursor.end);
  const char* const begin = after + value.before;
  cursor.looked_at(begin - cursor.at + static_cast<std::ptrdiff_t>(value.size));
  const std::string_view text(begin, value.size);
  const char* end = line_value_end(cursor, key, value, begin, kMostUnquoted);
  // `p,ssw0rd`: the first delimiter leaves too little to judge by.
  const bool fragment = end != nullptr && text.size() < kLeastJudged &&
                        end - begin >= static_cast<std::ptrdiff_t>(2 * kLeastJudged);
  const std::string_view judged = fragment ? between(begin, end) : text;
  if (is_no_literal(cursor, key, judged, value) ||
      !is_secret_value(judged, value, key.kind, manner)) {
    return {};
  }
  end = end != nullptr ? line_value_end(cursor, key, value, begin, cursor.rest().size())
                       : whole_value_end(begin, value, cursor.end);
  const bool names_rest =
      key.kind == KeyKind::password && manner == Manner::heading && !value.quoted;
  if (names_rest) {
    end = std::max(end, begin + rest_of_line(begin, cursor.end));
  }
  const auto keep = static_cast<std::size_t>(begin - cursor.at);
  return value_hit(
      cursor, {keep, static_cast<std::size_t>(end - begin), value.quoted}, shape_of(key.kind));
}

Hit match_option_value(const Cursor& cursor) {
  if (is(cursor.before(), kToken) || !is(cursor.peek(2), kLetter | kBlank)) {
    return {};
  }
  if (cursor.starts_with("-u")) {
    const bool joined = !is(cursor.peek(2), kBlank);  // curl -ubob:…
    const std::string_view left = cursor.left(kMostCommand);
    cursor.looked_at(joined ? static_cast<std::ptrdiff_t>(left.size()) : 0);
    return !joined || (is(cursor.before(), kBlank) && left.find("curl ") != std::string_view::npos)
               ? match_login(cursor, 2)
               : Hit{};
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
  if (key.hump && !value.quoted) {
    return {};
  }
  const std::string_view text(name + value.before, value.size);
  cursor.looked_at(text.data() - cursor.at + static_cast<std::ptrdiff_t>(value.size));
  if (text.starts_with("-") || follows_in_prose(text) ||
      !is_secret_value(text, value, key.kind, Manner::assignment)) {
    return {};
  }
  return value_hit(cursor, whole_place(cursor, value, text.data()), shape_of(key.kind));
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
  return value_hit(cursor, {1, text.size(), true}, shape_of(key.kind));
}

}  // namespace daybook::redact
