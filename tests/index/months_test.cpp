// SPDX-License-Identifier: MIT
#include "daybook/index/months.hpp"

#include <catch2/catch.hpp>

namespace daybook::index {
namespace {

std::int64_t ms(const char* text) {
  const auto time = lineage::parse_timestamp(text);
  REQUIRE(time);
  return time->ms;
}

}  // namespace

TEST_CASE("A month reaches from its first moment to the next one's") {
  constexpr std::int64_t kMay = 2026 * 12 + 4;
  CHECK(begin_of_month(kMay).ms == ms("2026-05-01T00:00:00.000Z"));
  CHECK(month_of(begin_of_month(kMay)) == kMay);
  CHECK(month_of({ms("2026-05-31T23:59:59.999Z")}) == kMay);
  CHECK(month_of(begin_of_month(kMay + 1)) == kMay + 1);
}

TEST_CASE("Months before 1970, and before the year 0, are counted the same way") {
  for (const std::int64_t month : {1969 * 12 + 11, 1, 0, -1, -12, -13}) {
    CHECK(month_of(begin_of_month(month)) == month);
    CHECK(month_of({begin_of_month(month).ms - 1}) == month - 1);
  }
}

}  // namespace daybook::index
