// SPDX-License-Identifier: MIT
#include "lineage/conflict_mark.hpp"

#include <algorithm>

namespace daybook::lineage {
namespace {

using Stem = std::optional<std::string_view>;

constexpr std::size_t kNone = std::string_view::npos;

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// `name{mark}20260328-223406`, with or without something behind it.
Stem before_dated_mark(std::string_view stem, std::string_view mark) {
  constexpr std::size_t kDateAndTime = 15;
  const std::size_t at = stem.rfind(mark);
  if (at == kNone || at == 0) {
    return std::nullopt;
  }
  const std::string_view rest = stem.substr(at + mark.size());
  const bool dated = rest.size() >= kDateAndTime && all_digits(rest.substr(0, 8)) &&
                     rest[8] == '-' && all_digits(rest.substr(9, 6));
  const bool ends = dated && (rest.size() == kDateAndTime || rest[kDateAndTime] == '-');
  return ends ? Stem(stem.substr(0, at)) : std::nullopt;
}

/// `name (… words …)`
Stem before_bracket_with(std::string_view stem, std::string_view words) {
  if (!stem.ends_with(')')) {
    return std::nullopt;
  }
  // The last bracket before the words: a device's name may have brackets of its own after them.
  const std::size_t found = stem.rfind(words);
  const std::size_t at = stem.substr(0, found).rfind(" (");
  return found == kNone || at == kNone || at == 0 ? std::nullopt : Stem(stem.substr(0, at));
}

Stem before_bracketed_number(std::string_view stem) {
  const std::size_t at = stem.rfind(" (");
  if (at == kNone || at == 0 || !stem.ends_with(')')) {
    return std::nullopt;
  }
  return all_digits(stem.substr(at + 2, stem.size() - at - 3)) ? Stem(stem.substr(0, at))
                                                               : std::nullopt;
}

/// The first copy is called 2. Longer numbers are years and the like.
Stem before_bare_number(std::string_view stem) {
  constexpr std::size_t kMostDigits = 2;
  const std::size_t at = stem.rfind(' ');
  if (at == kNone || at == 0) {
    return std::nullopt;
  }
  const std::string_view number = stem.substr(at + 1);
  const bool counts =
      all_digits(number) && number.size() <= kMostDigits && number[0] != '0' && number != "1";
  return counts ? Stem(stem.substr(0, at)) : std::nullopt;
}

}  // namespace

Stem before_strong_mark(std::string_view stem) {
  for (const Stem& original : {before_dated_mark(stem, ".sync-conflict-"),
                               before_dated_mark(stem, "_conflict-"),
                               before_bracket_with(stem, "onflicted copy"),
                               before_bracket_with(stem, "SFConflict")}) {
    if (original) {
      return original;
    }
  }
  return std::nullopt;
}

Stem before_number(std::string_view stem) {
  const Stem bracketed = before_bracketed_number(stem);
  return bracketed ? bracketed : before_bare_number(stem);
}

Stem before_machine(std::string_view stem, std::size_t begin) {
  const std::size_t dash = stem.find('-', begin);
  return dash == kNone || dash + 1 == stem.size() ? std::nullopt : Stem(stem.substr(0, dash));
}

}  // namespace daybook::lineage
