// SPDX-License-Identifier: MIT
//
// Text -> the places where a shape may stand. One look a byte: a table of pairs of bytes says
// whether it is worth looking closer, and for beginnings of tokens a table of four bytes says it
// again. Made for one policy; pure once made.
#pragma once

#include "daybook/redact/sanitizer.hpp"
#include "redact/literal_set.hpp"
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
  /// read.
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
        if (has(pairs_, pair) && (has(direct_, pair) || known_four(at, text_end))) {
          return at;
        }
      }
      if (at >= last) {
        return at < end ? at : end;  // the last byte alone: the matchers look
      }
    }
  }

  /// The tokens whose first two bytes these are.
  const std::vector<const PrefixToken*>& tokens_of(char first, char second) const;

 private:
  using Bits = std::array<std::uint64_t, 1024>;

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
  bool known_four(const char* at, const char* end) const {
    if (end - at < 4) {
      return true;
    }
    std::uint32_t four = 0;
    std::memcpy(&four, at, sizeof four);
    return has(fours_, hash(four));
  }

  void add_direct(unsigned first, unsigned second);
  void add_beginning(std::string_view text);
  void add_numbers();

  Bits pairs_{};
  Bits direct_{};
  std::array<std::uint64_t, 4096> fours_{};  // by hash
  std::array<std::uint8_t, 65536> bucket_of_{};
  std::vector<std::vector<const PrefixToken*>> buckets_;
};

}  // namespace daybook::redact
