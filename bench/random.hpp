// SPDX-License-Identifier: MIT
//
// Seed -> the same numbers on every machine: xoshiro256**, its state filled by splitmix64. The
// standard library's distributions differ between implementations, so there are none here. A value;
// one Random belongs to one thread.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace daybook::bench {

class Random {
 public:
  /// Distinct streams of one seed are independent, so that changing what one of them is used for
  /// leaves the others as they were.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t state = seed + 0xD1342543DE82EF95U * (stream + 1);
    for (std::uint64_t& word : state_) {
      word = splitmix(state);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// 0 to bound - 1; bound must not be 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
  }

  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + below(most - least + 1);
  }

  /// True in that share of the calls; 0 never, 1 always.
  bool chance(double share) { return static_cast<double>(next() >> 32U) < share * 4294967296.0; }

  template <typename T, std::size_t N>
  const T& pick(const std::array<T, N>& choices) {
    return choices[below(static_cast<std::uint32_t>(N))];
  }

 private:
  static std::uint64_t splitmix(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace daybook::bench
