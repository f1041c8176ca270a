// SPDX-License-Identifier: MIT
#include "daybook/daemon/clock_guard.hpp"

#include <cstdlib>
#include <ctime>
#include <utility>

namespace daybook::daemon {
namespace {

/// What clocks differ by without anybody's doing, when a process waits for its turn.
constexpr std::int64_t kJumpMs = 2000;

std::int64_t read(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

Clocks read_clocks() {
#ifdef __linux__
  return {read(CLOCK_REALTIME), read(CLOCK_BOOTTIME), read(CLOCK_MONOTONIC)};
#else
  // There the monotonic clock goes on in sleep, and a long heartbeat is all that can be seen.
  return {read(CLOCK_REALTIME), read(CLOCK_MONOTONIC), read(CLOCK_MONOTONIC)};
#endif
}

ClockGuard::Jump ClockGuard::look(const Clocks& now) {
  const auto before = std::exchange(last_, now);
  if (!before) {
    return Jump::none;
  }
  const std::int64_t steady = now.steady_ms - before->steady_ms;
  const std::int64_t boot = now.boot_ms - before->boot_ms;
  const std::int64_t wall = now.wall_ms - before->wall_ms;
  if (boot - steady > kJumpMs) {
    return Jump::slept;
  }
  return std::abs(wall - boot) > kJumpMs ? Jump::set : Jump::none;
}

}  // namespace daybook::daemon
