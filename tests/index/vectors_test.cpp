// SPDX-License-Identifier: MIT
#include "daybook/index/vectors.hpp"

#include "index/dot_product.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <cmath>
#include <random>
#include <vector>

namespace daybook::index {

TEST_CASE("the quick and the portable dot product agree, wherever the numbers lie") {
  rc::check([] {
    const auto size = *rc::gen::inRange<std::size_t>(0, 200);
    const auto offset = *rc::gen::inRange<std::size_t>(0, 8);
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> a(size + offset);
    std::vector<float> b(size + 8);
    for (std::size_t i = 0; i < size; ++i) {
      a[i + offset] = number(random);
      b[i] = number(random);
    }
    double exact = 0;
    for (std::size_t i = 0; i < size; ++i) {
      exact += static_cast<double>(a[i + offset]) * b[i];
    }
    const float quick = dot_product(a.data() + offset, b.data(), size);
    const float portable = portable_dot_product(a.data() + offset, b.data(), size);
    RC_ASSERT(std::abs(quick - exact) < 1e-4);
    RC_ASSERT(std::abs(portable - exact) < 1e-4);
  });
}

TEST_CASE("an error about other vectors names both models and the remedy") {
  const Error error = other_vectors({"openai:old", 512}, {"openai:new:1234abcd", 0});
  CHECK(error.kind == ErrorKind::usage);
  CHECK(error.message ==
        "the vectors in the index are of openai:old with 512 dimensions, but the embedding model "
        "is openai:new:1234abcd now");
  CHECK_THAT(error.hint, Catch::Contains("daybook reindex --reembed"));
}

}  // namespace daybook::index
