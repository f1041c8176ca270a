// SPDX-License-Identifier: MIT
//
// Two vectors of one length -> the sum of their products, which is the cosine when both have length
// 1. Asks the machine once whether it has AVX2 and FMA; the portable form differs from that one by
// rounding alone. Pure; any thread.
#pragma once

#include <cstddef>

namespace daybook::index {

/// Neither place need be aligned.
float dot_product(const float* a, const float* b, std::size_t size);

/// For machines that have no more.
float portable_dot_product(const float* a, const float* b, std::size_t size);

}  // namespace daybook::index
