// SPDX-License-Identifier: MIT
#include "daybook/base/base32.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";

std::string encoded(std::string_view text) {
  return base32_lower({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

/// Bit by bit, as nobody would write it for speed.
std::vector<std::uint8_t> decoded(std::string_view letters) {
  std::vector<bool> bits;
  for (const char letter : letters) {
    const int value = base32_value(letter);
    for (int bit = 4; bit >= 0; --bit) {
      bits.push_back(((value >> bit) & 1) != 0);
    }
  }
  std::vector<std::uint8_t> bytes(bits.size() / 8);
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    bytes[i / 8] = static_cast<std::uint8_t>((bytes[i / 8] << 1) | (bits[i] ? 1 : 0));
  }
  return bytes;
}

}  // namespace

TEST_CASE("the vectors of RFC 4648 come out in lower case without padding") {
  const std::vector<std::pair<std::string, std::string>> vectors{
      {"", ""},
      {"f", "my"},
      {"fo", "mzxq"},
      {"foo", "mzxw6"},
      {"foob", "mzxw6yq"},
      {"fooba", "mzxw6ytb"},
      {"foobar", "mzxw6ytboi"},
  };
  for (const auto& [text, expected] : vectors) {
    CHECK(encoded(text) == expected);
  }
}

TEST_CASE("the whole alphabet is used in its order") {
  // 00000 00001 00010 ... 11111: the five-bit numbers in a row.
  const std::string counting(
      "\x00\x44\x32\x14\xC7\x42\x54\xB6\x35\xCF\x84\x65\x3A\x56\xD7\xC6\x75\xBE\x77\xDF", 20);
  CHECK(encoded(counting) == kAlphabet);
}

TEST_CASE("what is encoded decodes to the same bytes") {
  REQUIRE(rc::check("round trip", [](const std::vector<std::uint8_t>& bytes) {
    const std::string letters = base32_lower(bytes);
    RC_ASSERT(letters.size() == (bytes.size() * 8 + 4) / 5);
    RC_ASSERT(decoded(letters) == bytes);
  }));
}

TEST_CASE("each letter has its value and every other character has none") {
  for (int c = 0; c < 256; ++c) {
    const auto position = kAlphabet.find(static_cast<char>(c));
    const int expected = position == std::string_view::npos ? -1 : static_cast<int>(position);
    CAPTURE(c);
    CHECK(base32_value(static_cast<char>(c)) == expected);
  }
}

}  // namespace daybook::base
