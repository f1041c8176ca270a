// SPDX-License-Identifier: MIT
//
// The words of generated notes. Full text costs what its vocabulary costs: with a few hundred words
// it looks three times too cheap, so there are 60,000, made from syllables and drawn in Zipf's
// order as people's words are. The list never changes with the seed, so that a benchmark can ask
// for a word of a known rank. Built once a process; read-only afterwards, any thread.
#pragma once

#include "random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::bench {

enum class Language : std::uint8_t { german, french, russian, chinese };
inline constexpr std::size_t kLanguages = 4;

class Vocabulary {
 public:
  static constexpr std::size_t kWords = 60'000;
  static constexpr std::size_t kForeignWords = 3'000;  ///< in each language

  static const Vocabulary& instance();

  std::size_t size() const { return words_.size(); }
  /// Rank 0 is the commonest.
  std::string_view word(std::size_t rank) const { return words_[rank]; }
  std::string_view foreign_word(Language language, std::size_t rank) const {
    return foreign_[static_cast<std::size_t>(language)][rank];
  }

  /// `twenty_bits` are 20 random bits; each rank answers to its share of them.
  std::string_view drawn_by(std::uint32_t twenty_bits) const {
    return words_[rank_of_[twenty_bits]];
  }
  std::string_view draw(Random& random) const {
    return drawn_by(static_cast<std::uint32_t>(random.next() >> (64U - kSlotBits)));
  }
  /// Common ones more often, roughly.
  std::string_view draw_foreign(Language language, Random& random) const;

  static constexpr unsigned kSlotBits = 20;

 private:
  Vocabulary();

  std::vector<std::string> words_;
  std::vector<std::uint16_t> rank_of_;  // 2^kSlotBits slots, shared out in Zipf's proportions
  std::array<std::vector<std::string>, kLanguages> foreign_;
};

}  // namespace daybook::bench
