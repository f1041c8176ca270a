// SPDX-License-Identifier: MIT
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostJoint = 32;
constexpr std::size_t kMostPrefix = 64;
constexpr std::size_t kMostLineNumber = 7;  // digits
constexpr std::size_t kMostLook = 256;      // of a run, to see whether it is random

bool is_hex(char c) { return is(c, kDigit | kHexLetter); }

/// `…\n` and the like: a letter that belongs to a backslash.
bool ends_with_escape(std::string_view left) {
  const std::size_t size = left.size();
  if (size >= 2 && left[size - 2] == '\\') {
    return std::string_view("nrtbfv0").find(left.back()) != std::string_view::npos;
  }
  if (size >= 3 && left[size - 3] == '%') {
    return is_hex(left[size - 2]) && is_hex(left[size - 1]);
  }
  if (size >= 6 && left[size - 6] == '\\' && left[size - 5] == 'u') {
    return std::all_of(left.end() - 4, left.end(), is_hex);
  }
  return false;
}

/// `[1;31m`, whose escape character was removed or is written out.
bool ends_with_colour(std::string_view left) {
  if (left.empty() || left.back() != 'm') {
    return false;
  }
  std::size_t at = left.size() - 1;
  while (at > 0 && (is(left[at - 1], kDigit) || left[at - 1] == ';')) {
    --at;
  }
  return at > 0 && left[at - 1] == '[';
}

/// A backslash and a letter that stand for a line's end, at any depth of escaping; 0: none.
std::size_t escaped_newline(const char* at, const char* end) {
  const char* p = at;
  while (p < end && *p == '\\' && p - at < 8) {
    ++p;
  }
  return p > at && p < end && (*p == 'n' || *p == 'r') ? static_cast<std::size_t>(p - at) + 1 : 0;
}

struct Joint {
  int quotes = 0;
  bool newline = false;
  bool plus = false;

  bool joins() const { return newline || (quotes >= 2); }
};

/// Length of what joins two halves of a token on one line; 0: nothing does.
std::size_t joint_length(const char* at, const char* end) {
  const char* p = at;
  Joint joint;
  while (p < end && p - at < static_cast<std::ptrdiff_t>(kMostJoint)) {
    if (const std::size_t newline = escaped_newline(p, end); newline > 0) {
      joint.newline = true;
      p += newline;
    } else if (is(*p, kQuote)) {
      ++joint.quotes;
      ++p;
    } else if (*p == '+' || *p == '\\' || is(*p, kBlank)) {
      ++p;
    } else if (joint.newline && (*p == '>' || *p == '#' || *p == '*' || *p == '|')) {
      ++p;
    } else {
      break;
    }
  }
  return joint.joins() ? static_cast<std::size_t>(p - at) : 0;
}

CharClass kind_of(char c) {
  return static_cast<CharClass>(kClasses[static_cast<unsigned char>(c)] & kAlnum);
}

}  // namespace

bool token_may_follow(std::string_view left) {
  if (left.empty() || !is(left.back(), kWord)) {
    return true;
  }
  return ends_with_escape(left) || ends_with_colour(left);
}

bool token_may_begin(const Cursor& cursor) {
  return !is(cursor.before(), kWord) || token_may_follow(cursor.left(16));
}

bool looks_random(std::string_view run) {
  run = run.substr(0, kMostLook);
  CharClass seen = 0;
  CharClass last = 0;
  std::size_t changes = 0;
  std::size_t counted = 0;
  for (const char c : run) {
    const CharClass kind = kind_of(c);
    if (kind == 0) {
      continue;
    }
    ++counted;
    changes += last != 0 && kind != last ? 1 : 0;
    seen |= kind;
    last = kind;
  }
  if (counted < 8) {
    return false;
  }
  const bool mixed = (seen & kDigit) != 0 && (seen & kLetter) != 0;
  return mixed ? changes >= 2 && changes * 5 >= counted : changes * 3 >= counted;
}

const char* end_of_piece(const char* token_end, const char* end) {
  const std::size_t joint = joint_length(token_end, end);
  if (joint == 0) {
    return token_end;
  }
  const char* const piece = token_end + joint;
  const char* const looked = run_end(piece, end, kSecretRun, kMostLook);
  return looks_random(between(piece, looked)) ? looked : token_end;
}

const char* end_of_pieces(const char* token_end, const char* end) {
  while (true) {
    const char* const looked = end_of_piece(token_end, end);
    if (looked == token_end) {
      return token_end;
    }
    token_end = run_end(looked, end, kSecretRun);
  }
}

bool wraps_here(const char* token_end, const char* end) {
  const char* p = token_end;
  while (p < end && p - token_end < static_cast<std::ptrdiff_t>(kMostJoint) &&
         (is(*p, kQuote | kBlank) || *p == '+' || *p == '\\' || *p == '&' || *p == '.')) {
    ++p;
  }
  return p == end || *p == '\n';
}

std::size_t line_marks(std::string_view line) {
  constexpr std::string_view kMarks = "+>#/*|\\;&.-(";
  std::size_t at = 0;
  while (at < line.size() && at < kMostPrefix &&
         (is(line[at], kBlank | kQuote) || kMarks.find(line[at]) != std::string_view::npos)) {
    ++at;
  }
  return at;
}

const char* skip_line_number(const char* p, const char* end) {
  constexpr std::array<std::string_view, 5> kMarks{"\t", ":", "|", "→", "\\u2192"};
  const char* const digits = run_end(p, end, kDigit, kMostLineNumber);
  if (digits == p) {
    return p;
  }
  const char* mark = digits;
  while (mark < end && *mark == '\\' && mark - digits < 8) {
    ++mark;
  }
  if (mark > digits && mark < end && *mark == 't') {
    return mark + 1;
  }
  mark = mark > digits ? mark - 1 : run_end(digits, end, kBlank, 1);
  for (const char* const place : {digits, mark}) {
    for (const std::string_view known : kMarks) {
      if (between(place, end).starts_with(known)) {
        return place + known.size();
      }
    }
  }
  return p;
}

std::size_t wrapped_prefix(std::string_view line) {
  const std::size_t marks = line_marks(line);
  const char* const text = line.data() + marks;
  const char* const numbered = skip_line_number(text, line.data() + line.size());
  if (numbered == text) {
    return marks;
  }
  const auto behind = static_cast<std::size_t>(numbered - line.data());
  return behind + line_marks(line.substr(behind));
}

}  // namespace daybook::redact
