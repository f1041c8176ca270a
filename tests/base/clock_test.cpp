// SPDX-License-Identifier: MIT
#include "daybook/base/clock.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <ctime>

namespace daybook::base {

TEST_CASE("a fixed clock always says what it was given") {
  const FixedClock clock(1'774'737'246'792);
  const Clock& seen_by_others = clock;
  CHECK(seen_by_others.now_ms() == 1'774'737'246'792);
  CHECK(seen_by_others.now_ms() == 1'774'737'246'792);
  CHECK(FixedClock(-1).now_ms() == -1);
}

TEST_CASE("the system's clock counts milliseconds since 1970") {
  // Not which time it is, only that both speak of the same one: a wrong unit or epoch is far off.
  constexpr std::int64_t kAnHour = 3'600'000;
  const std::int64_t reference = static_cast<std::int64_t>(std::time(nullptr)) * 1000;
  const std::int64_t now = SystemClock().now_ms();
  CHECK(now > reference - kAnHour);
  CHECK(now < reference + kAnHour);
  CHECK(disk_clock_ms() > reference - kAnHour);
  CHECK(disk_clock_ms() < reference + kAnHour);
}

TEST_CASE("a stopwatch starts at nothing and never runs backwards") {
  const Stopwatch watch;
  double last = watch.seconds();
  CHECK(last >= 0);
  CHECK(last < 3600);
  int backwards = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double now = watch.seconds();
    backwards += now < last ? 1 : 0;
    last = now;
  }
  CHECK(backwards == 0);
  CHECK(last > 0);
}

}  // namespace daybook::base
