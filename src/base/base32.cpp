// SPDX-License-Identifier: MIT
#include "daybook/base/base32.hpp"

#include <array>

namespace daybook::base {

std::string base32_lower(std::span<const std::uint8_t> bytes) {
  constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::string text;
  text.reserve((bytes.size() * 8 + 4) / 5);
  // Five bytes are eight letters; what is left over goes bit by bit.
  for (; bytes.size() >= 5; bytes = bytes.subspan(5)) {
    std::uint64_t group = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      group = (group << 8U) | bytes[i];
    }
    std::array<char, 8> letters{};
    for (std::size_t i = 0; i < letters.size(); ++i) {
      letters[i] = kAlphabet[(group >> (35 - 5 * i)) & 31U];
    }
    text.append(letters.data(), letters.size());
  }
  std::uint32_t buffer = 0;
  unsigned bits = 0;
  for (const std::uint8_t byte : bytes) {
    buffer = (buffer << 8U) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text.push_back(kAlphabet[(buffer >> bits) & 31U]);
    }
  }
  if (bits > 0) {
    text.push_back(kAlphabet[(buffer << (5 - bits)) & 31U]);
  }
  return text;
}

int base32_value(char letter) {
  if (letter >= 'a' && letter <= 'z') {
    return letter - 'a';
  }
  if (letter >= '2' && letter <= '7') {
    return letter - '2' + 26;
  }
  return -1;
}

}  // namespace daybook::base
