// SPDX-License-Identifier: MIT
#include "harness/byte_marks.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <random>

using namespace daybook::harness;

TEST_CASE("Bytes are marked alike, by words and as this processor does it") {
  std::mt19937 random(7);
  std::array<char, kMarkedBytes + 8> text{};
  for (int round = 0; round < 20'000; ++round) {
    const auto wanted = static_cast<char>(round % 256);
    // Those that differ in the highest or the lowest bit alone are taken for it most easily.
    for (char& byte : text) {
      const std::array<char, 4> some{wanted,
                                     static_cast<char>(wanted ^ 0x80),
                                     static_cast<char>(wanted ^ 1),
                                     static_cast<char>(random())};
      byte = some.at(random() % some.size());
    }
    const char* const at = text.data() + round % 8;
    std::uint32_t marks = 0;
    for (std::size_t i = 0; i < kMarkedBytes; ++i) {
      marks |= (at[i] == wanted ? 1U : 0U) << i;
    }
    REQUIRE(byte_marks_by_words(at, wanted) == marks);
    REQUIRE(byte_marks(at, wanted) == marks);
  }
}
