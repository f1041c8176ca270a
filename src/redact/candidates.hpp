// SPDX-License-Identifier: MIT
//
// Text -> the places where a shape may stand. A table of pairs of bytes says whether it is worth
// looking closer, and for beginnings of tokens their first four bytes are looked up as well. Where
// the processor can, a filter says for 64 places at once which of them to ask this about; the
// answers are the same. Made for one policy; pure once made.
#pragma once

#include "daybook/redact/sanitizer.hpp"
#include "redact/head_set.hpp"
#include "redact/literal_set.hpp"
#include "redact/nibble_filter.hpp"
#include "redact/prefix_tokens.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace daybook::redact {

class Candidates {
 public:
  explicit Candidates(Pii pii);

  /// Made once a process, for policies without literals.
  static const Candidates& shared(Pii pii);

  void add(const LiteralSet& literals);

  /// The first place in [at, end) that needs a closer look, or `end`. `text_end` bounds what is
  /// read. For many places of one text, see CandidateScan.
  const char* next(const char* at, const char* end, const char* text_end) const {
    const char* const last = end < text_end ? end : text_end - 1;  // where a pair can still be read
    while (true) {
      // Four pairs at a step: most have nothing.
      while (last - at >= 8 && !any_of_four(at)) {
        at += 4;
      }
      for (const char* const stop = last - at >= 8 ? at + 4 : last; at < stop; ++at) {
        std::uint16_t pair = 0;
        std::memcpy(&pair, at, sizeof pair);
        if (has(pairs_, pair) && (has(direct_, pair) || text_end - at < kHead || begins(at))) {
          return at;
        }
      }
      if (at >= last) {
        return at < end ? at : end;  // the last byte alone: the matchers look
      }
    }
  }

  /// The places of whole blocks, as bits; NibbleFilter::kBehind bytes can be read behind them. Only
  /// where NibbleFilter is usable.
  void mark(const char* at, std::size_t blocks, std::uint64_t* masks) const;

  /// The tokens whose first two bytes these are.
  const std::vector<const PrefixToken*>& tokens_of(char first, char second) const;

 private:
  using Bits = std::array<std::uint64_t, 1024>;
  static constexpr std::ptrdiff_t kHead = 4;  // bytes of a beginning that are looked at

  template <typename Table>
  static bool has(const Table& bits, std::uint32_t index) {
    return ((bits[index >> 6U] >> (index & 63U)) & 1U) != 0;
  }
  bool any_of_four(const char* at) const {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    const auto bit = [this](std::uint64_t pair) { return pairs_[pair >> 6U] >> (pair & 63U); };
    return ((bit(bytes & 0xFFFFU) | bit((bytes >> 8U) & 0xFFFFU) | bit((bytes >> 16U) & 0xFFFFU) |
             bit((bytes >> 24U) & 0xFFFFU)) &
            1U) != 0;
  }
  static std::uint32_t hash(std::uint32_t four) { return (four * 0x9E3779B1U) >> 14U; }
  /// Does one of the beginnings stand here? Four bytes can be read.
  bool begins(const char* at) const {
    std::uint32_t four = 0;
    std::memcpy(&four, at, sizeof four);
    return has(fours_, hash(four)) && is_beginning(at);
  }
  bool is_beginning(const char* at) const;

  void add_direct(unsigned first, unsigned second);
  void add_beginning(std::string_view text);
  void add_numbers();

  Bits pairs_{};
  Bits direct_{};
  std::array<std::uint64_t, 4096> fours_{};  // by hash, which a few others share
  HeadSet heads_;                            // a fourth byte of 0 stands for any
  NibbleFilter filter_;
  std::array<std::uint8_t, 65536> bucket_of_{};
  std::vector<std::vector<const PrefixToken*>> buckets_;
};

}  // namespace daybook::redact
