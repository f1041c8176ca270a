// SPDX-License-Identifier: MIT
#include "daybook/base/clock.hpp"

namespace daybook::base {

std::int64_t SystemClock::now_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t disk_clock_ms() { return SystemClock().now_ms(); }

}  // namespace daybook::base
