// SPDX-License-Identifier: MIT
#include "redact/enclosure.hpp"

namespace daybook::redact {
namespace {

constexpr std::size_t kMostBefore = 256;
constexpr std::string_view kMarks = "-*>#+|<$";

/// Backslashes that end directly before `p`.
std::size_t backslashes_before(const char* begin, const char* p) {
  std::size_t count = 0;
  while (p > begin && p[-1] == '\\' && count < 8) {
    --p;
    ++count;
  }
  return count;
}

bool is_escaped_letter(char c) { return c == 'n' || c == 'r' || c == 't'; }

const char* limited(const char* at, const char* end, std::size_t most) {
  return static_cast<std::size_t>(end - at) > most ? at + most : end;
}

}  // namespace

Enclosure enclosure_of(const Cursor& cursor, const char* key_begin) {
  const char* const begin = cursor.left_begin;
  const char* p = key_begin;
  Enclosure found;
  found.at_start = true;
  if (between(begin, p).ends_with("export ")) {
    p -= 7;
  }
  while (p > begin && p[-1] != '\n') {
    if (static_cast<std::size_t>(key_begin - p) >= kMostBefore) {
      return {};
    }
    const char before = p[-1];
    const std::size_t escapes = backslashes_before(begin, p - 1);
    if (is(before, kQuote)) {
      found.quote = before;
      found.escapes = escapes;
      // A quote before other text may be the end of a string as well as its beginning.
      found.kind = found.at_start ? Enclosure::Kind::string : Enclosure::Kind::unknown;
      return found;
    }
    if (escapes > 0 && is_escaped_letter(before)) {
      found.escapes = escapes - 1;
      found.kind = found.at_start ? Enclosure::Kind::string : Enclosure::Kind::unknown;
      return found;
    }
    found.at_start = found.at_start && (is(before, kBlank | kDigit | kOther) ||
                                        kMarks.find(before) != std::string_view::npos);
    --p;
  }
  found.kind = Enclosure::Kind::line;
  return found;
}

const char* closing_quote(
    const char* at, const char* end, char quote, std::size_t escapes, std::size_t most) {
  const char* const last = limited(at, end, most);
  std::size_t backslashes = 0;
  for (const char* p = at; p < last && *p != '\n'; ++p) {
    if (*p == '\\') {
      ++backslashes;
      continue;
    }
    if (*p == quote && (escapes == 0 ? backslashes % 2 == 0 : backslashes <= escapes)) {
      return p - backslashes;
    }
    backslashes = 0;
  }
  return nullptr;
}

const char* end_of(
    const Enclosure& enclosure, const char* at, const char* end, std::size_t most, Blanks blanks) {
  const char* const last = limited(at, end, most);
  std::size_t backslashes = 0;
  for (const char* p = at; p < last; ++p) {
    if (*p == '\n' || (blanks == Blanks::end_it && is(*p, kBlank))) {
      return p;
    }
    if (enclosure.kind == Enclosure::Kind::line) {
      continue;
    }
    if (*p == '\\') {
      ++backslashes;
      continue;
    }
    const bool closes =
        enclosure.kind == Enclosure::Kind::unknown
            ? *p == '"' || *p == '`' || (*p == '\'' && backslashes > 0)
            : *p == enclosure.quote && (enclosure.escapes == 0 ? backslashes % 2 == 0
                                                               : backslashes <= enclosure.escapes);
    if (closes || (backslashes > 0 && is_escaped_letter(*p))) {
      return p - backslashes;
    }
    backslashes = 0;
  }
  return last;
}

}  // namespace daybook::redact
