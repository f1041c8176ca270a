// SPDX-License-Identifier: MIT
#include "index/dot_product.hpp"

#include <array>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace daybook::index {
namespace {

constexpr std::size_t kLanes = 8;

float at(const float* values, std::size_t place) {
  float value = 0;
  std::memcpy(&value, values + place, sizeof value);
  return value;
}

#ifdef __x86_64__

#define DAYBOOK_FMA __attribute__((target("avx2,fma")))

bool has_fma() {
  static const bool kHas =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return kHas;
}

DAYBOOK_FMA float fma_dot_product(const float* a, const float* b, std::size_t size) {
  // Four sums, since each addition waits for the one before it.
  constexpr std::size_t kSums = 4;
  __m256 sums[kSums] = {
      _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
  std::size_t i = 0;
  for (; i + kSums * kLanes <= size; i += kSums * kLanes) {
    for (std::size_t part = 0; part < kSums; ++part) {
      const std::size_t place = i + part * kLanes;
      sums[part] =
          _mm256_fmadd_ps(_mm256_loadu_ps(a + place), _mm256_loadu_ps(b + place), sums[part]);
    }
  }
  std::array<float, kLanes> lanes{};
  _mm256_storeu_ps(lanes.data(),
                   _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  float sum = 0;
  for (const float lane : lanes) {
    sum += lane;
  }
  return sum + portable_dot_product(a + i, b + i, size - i);
}

#endif

}  // namespace

float portable_dot_product(const float* a, const float* b, std::size_t size) {
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += at(a, i + lane) * at(b, i + lane);
    }
  }
  float sum = 0;
  for (const float lane : sums) {
    sum += lane;
  }
  for (; i < size; ++i) {
    sum += at(a, i) * at(b, i);
  }
  return sum;
}

float dot_product(const float* a, const float* b, std::size_t size) {
#ifdef __x86_64__
  if (has_fma()) {
    return fma_dot_product(a, b, size);
  }
#endif
  return portable_dot_product(a, b, size);
}

}  // namespace daybook::index
