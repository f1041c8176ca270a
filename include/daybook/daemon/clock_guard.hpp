// SPDX-License-Identifier: MIT
//
// Notices that time did not just pass: the machine slept, or somebody set the clock. Watchers may
// have lost events then, and other sessions lie in the window. Clocks are handed in. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace daybook::daemon {

struct Clocks {
  std::int64_t wall_ms = 0;
  std::int64_t boot_ms = 0;    ///< goes on in sleep
  std::int64_t steady_ms = 0;  ///< stands still in sleep
};

Clocks read_clocks();

class ClockGuard {
 public:
  enum class Jump : std::uint8_t { none, slept, set };

  Jump look(const Clocks& now);

 private:
  std::optional<Clocks> last_;
};

}  // namespace daybook::daemon
