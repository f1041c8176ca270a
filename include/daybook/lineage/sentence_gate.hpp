// SPDX-License-Identifier: MIT
//
// Does a memory_sentence say something? 12 to 48 words, a full stop, and at least one concrete
// anchor: the project's basename, a path or package token, an issue, PR or task identifier, or a
// component that the session's own text names. Each reason to refuse is its own flaw. Pure.
//
// Words are what stands between blanks and holds a letter or digit. Scripts without blanks (Han,
// kana, Thai, Lao, Khmer, Burmese) count two letters as one word, rounded up for each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace daybook::lineage {

inline constexpr std::size_t kLeastSentenceWords = 12;
inline constexpr std::size_t kMostSentenceWords = 48;

enum class SentenceFlaw : std::uint8_t {
  missing,
  too_few_words,
  too_many_words,
  no_terminal_punctuation,
  no_anchor,
  low_signal_template,
};

/// `missing`, `too-few-words`, … : stable, for logs and reports.
std::string_view to_string(SentenceFlaw flaw);

struct SentenceContext {
  std::string_view project;       ///< path or name; may be empty
  std::string_view session_text;  ///< where components must be named to count; may be empty
};

std::size_t count_words(std::string_view sentence);

bool has_anchor(std::string_view sentence, const SentenceContext& context);

/// Every flaw, in the order of the enumeration; empty: the sentence passes.
std::vector<SentenceFlaw> sentence_flaws(std::string_view sentence, const SentenceContext& context);

}  // namespace daybook::lineage
