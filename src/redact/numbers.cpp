// SPDX-License-Identifier: MIT
#include "redact/numbers.hpp"

#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace daybook::redact {
namespace {

constexpr std::size_t kFewest = 9;  // digits of anything that is looked for
constexpr std::size_t kMostGroups = 10;
constexpr std::size_t kMostRun = 40;    // characters; nothing that is looked for is longer
constexpr std::size_t kPhoneWord = 24;  // characters before a number in which it may be called one

struct Group {
  std::size_t digits = 0;
  std::size_t end = 0;  // characters of the run up to here
  char separator = 0;   // before it
};

/// Groups of digits with one separator between each two, from the first digit on.
struct Run {
  std::array<Group, kMostGroups> groups{};
  std::size_t count = 0;
  std::size_t digits = 0;
  std::size_t size = 0;   // characters
  bool opened = false;    // by a parenthesis before the first digit
  bool closed = false;    // by one behind the first or second group
  bool too_long = false;  // there is more than can be looked at

  void drop_last() {
    const Group& last = groups[--count];
    digits -= last.digits;
    size = groups[count - 1].end;
    closed = closed && last.separator != ')';
    too_long = false;
  }
  bool shaped(std::initializer_list<std::size_t> sizes) const {
    return count == sizes.size() && std::equal(sizes.begin(),
                                               sizes.end(),
                                               groups.begin(),
                                               [](std::size_t wanted, const Group& group) {
                                                 return group.digits == wanted;
                                               });
  }
  bool separated_by(char separator) const {
    return std::all_of(groups.begin() + 1,
                       groups.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](const Group& group) { return group.separator == separator; });
  }
};

bool is_separator(char c) { return c == ' ' || c == '-' || c == '.'; }

/// As many characters as the fewest digits that matter, all of which a run may have: told at once
/// of most numbers, which are short.
bool may_be_long(const Cursor& cursor) {
  constexpr CharClass kOfRuns = kDigit | kBlank | kHyphen | kDot;
  for (std::size_t i = 0; i < kFewest; ++i) {
    const char c = cursor.peek(i);
    if (!is(c, kOfRuns) && c != '(' && c != ')') {
      return false;
    }
  }
  return true;
}

Run read_run(const Cursor& cursor) {
  Run run;
  const char* p = cursor.at;
  run.opened = cursor.before() == '(' || (cursor.before() == '+' && cursor.before(1) == '(');
  char separator = 0;
  while (run.count < kMostGroups && p - cursor.at < static_cast<std::ptrdiff_t>(kMostRun)) {
    const char* const end = run_end(p, cursor.end, kDigit, kMostRun);
    Group& group = run.groups[run.count++];
    group.digits = static_cast<std::size_t>(end - p);
    group.separator = separator;
    run.digits += group.digits;
    p = end;
    run.size = static_cast<std::size_t>(p - cursor.at);
    group.end = run.size;
    separator = 0;
    const char* next = p;
    const bool closes =
        cursor.peek_at(next) == ')' && !run.closed && (run.opened || run.count == 2);
    if (closes) {
      ++next;
      separator = ')';
      next += is_separator(cursor.peek_at(next)) ? 1 : 0;
    } else if (is_separator(cursor.peek_at(next))) {
      separator = *next++;
      if (cursor.peek_at(next) == '(' && run.count == 1) {
        ++next;
      }
    }
    if (separator == 0 || !is(cursor.peek_at(next), kDigit)) {
      return run;
    }
    run.closed = run.closed || closes;
    p = next;
  }
  run.too_long = true;
  return run;
}

bool luhn(const Cursor& cursor, const Run& run) {
  int sum = 0;
  bool second = false;
  for (std::size_t i = run.size; i > 0; --i) {
    const char c = cursor.at[i - 1];
    if (!is(c, kDigit)) {
      continue;
    }
    int digit = c - '0';
    if (second) {
      digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    }
    sum += digit;
    second = !second;
  }
  return sum != 0 && sum % 10 == 0;
}

/// Networks number their cards from 3 to 6, one also from 2221 to 2720. Epochs begin with 1.
bool has_issuer(const Cursor& cursor) {
  const char first = *cursor.at;
  if (first >= '3' && first <= '6') {
    return true;
  }
  if (first != '2') {
    return false;
  }
  int four = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    four = four * 10 + (is(cursor.peek(i), kDigit) ? cursor.peek(i) - '0' : 0);
  }
  return four >= 2221 && four <= 2720;
}

bool is_card(const Cursor& cursor, const Run& run) {
  if (run.digits < 13 || run.digits > 19 || run.closed || !has_issuer(cursor)) {
    return false;
  }
  const bool grouped = run.shaped({4, 4, 4, 4}) || run.shaped({4, 6, 5}) ||
                       run.shaped({4, 4, 4, 4, 3}) || run.shaped({4, 6, 4}) ||
                       run.shaped({4, 4, 4, 1});
  if (run.count > 1 && !(grouped && (run.separated_by(' ') || run.separated_by('-')))) {
    return false;
  }
  return luhn(cursor, run);
}

bool is_ssn(const Cursor& cursor, const Run& run) {
  if (!run.shaped({3, 2, 4}) || !run.separated_by('-')) {
    return false;
  }
  const std::string_view text(cursor.at, run.size);
  return text.substr(0, 3) != "000" && text.substr(0, 3) != "666" && text.front() != '9' &&
         text.substr(4, 2) != "00" && text.substr(7) != "0000";
}

bool called_a_phone(const Cursor& cursor) {
  constexpr std::array<std::string_view, 14> kWords{"phone",
                                                    "tel",
                                                    "mobile",
                                                    "cell",
                                                    "fax",
                                                    "call",
                                                    "handy",
                                                    "whatsapp",
                                                    "telefon",
                                                    "mobil",
                                                    "contact",
                                                    "hotline",
                                                    "sms",
                                                    "dial"};
  const std::string_view left = cursor.left(kPhoneWord);
  const std::size_t line = left.rfind('\n');
  const std::string_view near = line == std::string_view::npos ? left : left.substr(line + 1);
  std::array<char, kPhoneWord> folded{};
  std::transform(near.begin(), near.end(), folded.begin(), to_lower);
  const std::string_view text(folded.data(), near.size());
  return std::any_of(kWords.begin(), kWords.end(), [&text](std::string_view word) {
    const std::size_t at = text.find(word);
    return at != std::string_view::npos && (at == 0 || !is(text[at - 1], kLetter));
  });
}

/// `version 415.555.2671`, also as a key and its value.
bool called_a_version(const Cursor& cursor) {
  std::string_view left = cursor.left(kPhoneWord);
  while (!left.empty() && (is(left.back(), kBlank | kQuote) || left.back() == ':' ||
                           left.back() == '=' || left.back() == '\\')) {
    left.remove_suffix(1);
  }
  constexpr std::array<std::string_view, 3> kWords{"version", "ver", "v"};
  return std::any_of(kWords.begin(), kWords.end(), [left](std::string_view word) {
    return left.size() >= word.size() &&
           equals_folded(left.substr(left.size() - word.size()), word) &&
           token_may_follow(left.substr(0, left.size() - word.size()));
  });
}

bool groups_within(const Run& run, std::size_t least, std::size_t most) {
  return std::all_of(
      run.groups.begin(),
      run.groups.begin() + static_cast<std::ptrdiff_t>(run.count),
      [&](const Group& group) { return group.digits >= least && group.digits <= most; });
}

/// Sizes, limits and masks, which cards and telephone numbers are not.
bool is_power_of_two(const Cursor& cursor, const Run& run) {
  constexpr std::size_t kMostDigits = 19;
  if (run.count != 1 || run.digits > kMostDigits) {
    return false;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < run.digits; ++i) {
    value = value * 10 + static_cast<std::uint64_t>(cursor.at[i] - '0');
  }
  return value != 0 && (value & (value - 1)) == 0;
}

/// Behind a plus sign.
bool is_international(const Cursor& cursor, const Run& run) {
  const char first = *cursor.at;
  if (first == '0' || run.digits < 8 || run.digits > 15) {
    return false;
  }
  if (first == '1') {
    return run.digits == 11 && groups_within(run, 1, 11);
  }
  if (run.count == 1) {
    return run.digits >= 11;  // +1763263500 in a diff is no number to call
  }
  return run.groups[0].digits <= 4 && groups_within(run, 1, 8);
}

bool is_national(const Cursor& cursor, const Run& run) {
  const bool with_one = run.count == 4 && run.groups[0].digits == 1 && *cursor.at == '1';
  const std::size_t first = with_one ? 1 : 0;
  const bool three_three_four = run.count - first == 3 && run.groups[first].digits == 3 &&
                                run.groups[first + 1].digits == 3 &&
                                run.groups[first + 2].digits == 4;
  if (three_three_four) {
    const char area = cursor.at[with_one ? 2 + (cursor.at[2] == '(' ? 1 : 0) : 0];
    if (area == '0' || area == '1') {
      return false;
    }
    if (run.separated_by('.') && called_a_version(cursor)) {
      return false;
    }
    // Three sizes in a table look the same: blanks alone need a word before them.
    return run.opened || run.closed || !run.separated_by(' ') || called_a_phone(cursor);
  }
  if (run.closed || run.opened) {
    return run.shaped({3, 3, 4}) || (run.digits >= 9 && run.digits <= 12 && called_a_phone(cursor));
  }
  const bool calls = run.count > 1 && run.digits >= 9 && run.digits <= 12 &&
                     groups_within(run, 2, 8) && *cursor.at == '0';
  return calls && called_a_phone(cursor);
}

/// Not within a word, a path, a decimal, a version, an id.
bool may_begin(const Cursor& cursor) {
  const char before = cursor.before();
  constexpr std::string_view kBinding = "_./-#$%@\\^~&<+";
  if (before == '\n') {
    return true;
  }
  if (before == ':' || before == '=') {
    return true;  // behind a key
  }
  return kBinding.find(before) == std::string_view::npos && token_may_begin(cursor);
}

/// `binding`: what joins the number to a letter or digit behind it, so that it is part of something
/// else.
bool may_end(const Cursor& cursor, std::size_t size, std::string_view binding) {
  const char next = cursor.peek(size);
  if (is(next, kWord | kPercent) || next == '@') {
    return false;
  }
  return binding.find(next) == std::string_view::npos || !is(cursor.peek(size + 1), kAlnum);
}

// In a table a card stands before its date and its code: `…,12/29,123`, `…/1229`, `…:123`.
constexpr std::string_view kBindsCard = ".-+";
constexpr std::string_view kBindsPhone = ".-+:/,";

/// The plus sign of a line that a diff adds.
bool is_diff_mark(std::string_view left) { return left == "+" || left.ends_with("\n+"); }

/// Characters of a plus sign before the number, with its parenthesis: `+`, `+(`, `(+`. 0: none.
std::size_t sign_size(const Cursor& cursor, bool bracket) {
  const std::size_t size = bracket ? 2 : 1;
  const bool plus = cursor.before() == '+' || (bracket && cursor.before(1) == '+');
  if (!plus) {
    return 0;
  }
  std::string_view left = cursor.left(kPhoneWord);
  left.remove_suffix(std::min(left.size(), size));
  if (is_diff_mark(left)) {
    return size;
  }
  return (left.empty() || !is(left.back(), kBase64Sign | kDot)) && token_may_follow(left) ? size
                                                                                          : 0;
}

Hit personal(std::size_t erase, std::size_t size, std::string_view marker, std::string_view shape) {
  Hit hit;
  hit.erase = erase;
  hit.consume = size;
  hit.marker = marker;
  hit.shape = shape;
  hit.pii = true;
  return hit;
}

enum class Part : std::uint8_t {
  whole,
  front,  ///< other numbers follow behind a blank
};

Hit judge(const Cursor& cursor, const Run& run, Part part) {
  if (!may_end(cursor, run.size, kBindsCard)) {
    return {};
  }
  if (is_power_of_two(cursor, run)) {
    return {};
  }
  const bool bracket = run.opened && run.closed;
  const bool callable = may_end(cursor, run.size, kBindsPhone);
  const bool diff = is_diff_mark(cursor.left(2));
  if (const std::size_t sign = sign_size(cursor, bracket); sign > 0 && callable) {
    // A line of numbers that a diff adds begins with a plus sign, too.
    const bool table = diff && part == Part::front && run.count > 1;
    if (is_international(cursor, run) && !table) {
      return personal(sign, run.size, kPhoneMarker, "phone");
    }
  }
  if (!bracket && !may_begin(cursor) && !diff) {
    return {};
  }
  if (is_card(cursor, run)) {
    return personal(0, run.size, kCardMarker, "card");
  }
  if (is_ssn(cursor, run)) {
    return personal(0, run.size, kSsnMarker, "ssn");
  }
  if (callable && is_national(cursor, run)) {
    return personal(bracket ? 1 : 0, run.size, kPhoneMarker, "phone");
  }
  return {};
}

}  // namespace

Hit match_number(const Cursor& cursor) {
  if (!may_be_long(cursor)) {
    return {};
  }
  Run run = read_run(cursor);
  if (run.digits < kFewest) {
    return {};
  }
  cursor.looked_at(static_cast<std::ptrdiff_t>(run.size));
  if (!run.too_long) {
    if (const Hit hit = judge(cursor, run, Part::whole); hit) {
      return hit;
    }
  }
  while (run.count > 1) {
    const char separator = run.groups[run.count - 1].separator;
    run.drop_last();
    if (run.digits < kFewest) {
      break;
    }
    if (separator != ' ') {
      continue;
    }
    if (const Hit hit = judge(cursor, run, Part::front); hit) {
      return hit;
    }
  }
  return {};
}

}  // namespace daybook::redact
