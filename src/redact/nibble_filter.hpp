// SPDX-License-Identifier: MIT
//
// Beginnings of two to four bytes -> a filter that marks, for 64 places of a text at once, those
// where one of them may stand. It never misses one, and marks a few places more. A byte is looked
// up by its lower and its upper four bits, in tables of sixteen entries that a vector register
// holds; each bit of an entry stands for a group of beginnings, and what is true of a whole group
// cannot tell its members apart. So only the groups decide how much is marked in vain. Works where
// the processor has AVX2; elsewhere `usable()` says so. Pure once made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace daybook::redact {

class NibbleFilter {
 public:
  static constexpr std::size_t kBlock = 64;
  /// Bytes behind a block that are read, too.
  static constexpr std::size_t kBehind = 3;

  static bool usable();

  /// Two to four bytes; whatever follows.
  void add(std::string_view beginning);

  /// Bit i of masks[n] says whether one may begin at `at[n * kBlock + i]`.
  void mark(const char* at, std::size_t blocks, std::uint64_t* masks) const;

 private:
  using Table = std::array<std::uint8_t, 16>;  // groups, a bit each, by half a byte
  struct Byte {
    Table low{};
    Table high{};
  };

  // Two bytes tell most places; only words need all four.
  std::array<Byte, 2> pairs_{};
  std::array<Byte, 4> words_{};
};

}  // namespace daybook::redact
