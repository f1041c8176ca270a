// SPDX-License-Identifier: MIT
#include "daybook/recall/fusion.hpp"

#include <catch2/catch.hpp>

#include <array>

namespace {

using daybook::lineage::Timestamp;
using daybook::recall::Bonus;
using daybook::recall::fused_score;

constexpr Timestamp kNow{1'774'872'000'000};
constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

double score(std::size_t text, std::size_t meaning, const Bonus& bonus = {kNow, 0}) {
  return fused_score(std::array<std::size_t, 2>{text, meaning}, bonus, kNow);
}

}  // namespace

TEST_CASE("A better place in a list, and a place in one list more, give a better score") {
  CHECK(score(1, 1) > score(1, 2));
  CHECK(score(1, 2) == score(2, 1));
  CHECK(score(1, 0) > score(2, 0));
  CHECK(score(10, 10) > score(1, 0));
  CHECK(score(1, 1, {kNow, 1e9}) <= 1.0);
  CHECK(score(1, 1, {kNow, 1e9}) > 0.99);
}

TEST_CASE("What is new or much used passes a few others, and no more") {
  const Bonus old{{kNow.ms - 1000 * kDay}, 0};
  CHECK(score(1, 1, {kNow, 0}) > score(1, 1, old));
  CHECK(score(2, 2, {kNow, 0}) > score(1, 1, old));
  CHECK(score(5, 5, {kNow, 0}) < score(1, 1, old));
  CHECK(score(2, 2, {old.time, 100}) > score(1, 1, old));
  CHECK(score(6, 6, {kNow, 1e9}) < score(1, 1, old));
  // A time that is yet to come is no better than now.
  CHECK(score(1, 1, {{kNow.ms + 100 * kDay}, 0}) == score(1, 1, {kNow, 0}));
}
