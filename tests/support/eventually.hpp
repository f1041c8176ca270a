// SPDX-License-Identifier: MIT
//
// Waiting for what another thread or process will bring about: asks again and again until it is so,
// or until far more time has passed than it can take on the slowest machine.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace daybook::support {

/// Whether it came true in time. A question that is dear is asked less often.
template <typename Condition>
bool eventually(const Condition& condition,
                std::chrono::milliseconds most = std::chrono::seconds(60),
                std::chrono::milliseconds pause = std::chrono::milliseconds(5)) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  std::mutex mutex;
  std::condition_variable never;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      return condition();
    }
    std::unique_lock lock(mutex);
    never.wait_for(lock, pause);
  }
  return true;
}

/// Lets others go on for so long: for moments that a trial chooses by its seed.
inline void let_pass(std::chrono::milliseconds time) {
  static_cast<void>(eventually([] { return false; }, time, time));
}

}  // namespace daybook::support
