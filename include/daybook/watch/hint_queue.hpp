// SPDX-License-Identifier: MIT
//
// Hints from the watcher's thread, and wishes from others -> the one control thread. Bounded: when
// nobody takes for too long, hints give way to a single `lost`, because a look at everything is
// cheaper than a list of everything. take() and wake() may be called on any thread and never wait
// for the control thread.
#pragma once

#include "daybook/watch/event_source.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace daybook::watch {

using Moment = std::chrono::steady_clock::time_point;

struct TimedHint {
  Hint hint;
  Moment at;
};

class HintQueue final : public HintSink {
 public:
  static constexpr std::size_t kMost = 65'536;

  explicit HintQueue(std::size_t most = kMost) : most_(most) {}

  void take(Hint hint) override;
  /// Ends a wait though there is no hint.
  void wake();

  /// All that has come, in order; waits until there is something, wake() was called, or `until`.
  std::vector<TimedHint> take_all(Moment until);
  std::size_t size() const;
  std::uint64_t overflows() const;

 private:
  std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<TimedHint> hints_;  // guarded by mutex_
  bool woken_ = false;            // guarded by mutex_
  std::uint64_t overflows_ = 0;   // guarded by mutex_
};

}  // namespace daybook::watch
