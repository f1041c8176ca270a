// SPDX-License-Identifier: MIT
//
// 32 bytes of text -> which of them are a given one. For texts in which that byte comes up
// every few dozen bytes, as quotes and backslashes do in JSON: a call of memchr for each would cost
// more than the looking. Pure; any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace daybook::harness {

inline constexpr std::size_t kMarkedBytes = 32;

/// Bit i is set if byte i is `wanted`. All of them must be there. For any processor.
inline std::uint32_t byte_marks_by_words(const char* at, char wanted) {
  std::uint32_t marks = 0;
  for (std::size_t begin = 0; begin < kMarkedBytes; begin += 8) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    constexpr std::uint64_t kLow = 0x7F * kOnes;
    std::uint64_t word = 0;
    std::memcpy(&word, at + begin, sizeof word);
    word ^= static_cast<unsigned char>(wanted) * kOnes;
    const std::uint64_t found = ~(((word & kLow) + kLow) | word | kLow);  // 0x80 where it is
    // Each of the factor's bits brings one of the marks into the highest byte.
    constexpr std::uint64_t kGather =
        std::endian::native == std::endian::little ? 0x0102040810204080ULL : 0x8040201008040201ULL;
    marks |= static_cast<std::uint32_t>(((found >> 7U) * kGather) >> 56U) << begin;
  }
  return marks;
}

/// The same, as fast as this processor can.
inline std::uint32_t byte_marks(const char* at, char wanted) {
#ifdef __SSE2__
  const auto half = [&](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted))));
  };
  return half(at) | half(at + 16) << 16U;
#else
  return byte_marks_by_words(at, wanted);
#endif
}

/// The place of the first mark; there must be one.
inline std::size_t first_mark(std::uint32_t marks) {
  return static_cast<std::size_t>(std::countr_zero(marks));
}

}  // namespace daybook::harness
