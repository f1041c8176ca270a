// SPDX-License-Identifier: MIT
#include "daybook/state/boot_clock.hpp"

#include <ctime>
#include <fstream>

namespace daybook::state {

std::int64_t SystemBootClock::now_ms() const {
#ifdef CLOCK_BOOTTIME
  constexpr clockid_t kClock = CLOCK_BOOTTIME;
#else
  constexpr clockid_t kClock = CLOCK_MONOTONIC;  // on macOS this one counts sleep, too
#endif
  timespec now{};
  ::clock_gettime(kClock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

std::string SystemBootClock::boot_id() const {
  static const std::string kId = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
  }();
  return kId;
}

}  // namespace daybook::state
