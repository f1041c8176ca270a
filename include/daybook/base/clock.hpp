// SPDX-License-Identifier: MIT
//
// Time is handed in, so that tests step it and `--now` fixes it. Wall time is milliseconds since
// the Unix epoch; elapsed time comes from the monotonic clock. Implementations are safe on any
// thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace daybook::base {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_ms() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::int64_t now_ms() const override;
};

/// Now as the disk stamps it: for comparing with a stat's times, and for nothing else. The one time
/// that is not handed in, because the disk has the real clock while --now and tests step ours; by
/// theirs a file could seem to lie in the future, or to have rested when it was just written.
std::int64_t disk_clock_ms();

class FixedClock final : public Clock {
 public:
  explicit FixedClock(std::int64_t now_ms) : now_ms_(now_ms) {}
  std::int64_t now_ms() const override { return now_ms_; }

 private:
  std::int64_t now_ms_;
};

/// Measures how long something took; unaffected by anybody setting the clock.
class Stopwatch {
 public:
  Stopwatch() : started_(std::chrono::steady_clock::now()) {}
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

 private:
  std::chrono::steady_clock::time_point started_;
};

}  // namespace daybook::base
