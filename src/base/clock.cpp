// SPDX-License-Identifier: MIT
#include "daybook/base/clock.hpp"

namespace daybook::base {

std::int64_t SystemClock::now_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace daybook::base
