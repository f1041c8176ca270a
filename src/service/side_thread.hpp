// SPDX-License-Identifier: MIT
//
// Work beside the passes, on a thread of its own: full text and vectors may take minutes, and
// MEMORY.md should not wait for them. One piece at a time. begin(), take_outcome(), stop() and the
// destructor belong to the thread that owns it. The work is told to stop by its own progress, and
// looks at that between two documents or two batches.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/service/work_progress.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

namespace daybook::service {

class SideThread {
 public:
  SideThread() = default;
  ~SideThread() { stop(); }
  SideThread(const SideThread&) = delete;
  SideThread& operator=(const SideThread&) = delete;

  /// `work` returns how many files were left out; `ended` is the last that the thread calls.
  void begin(WorkProgress& progress,
             std::function<Result<std::uint64_t>()> work,
             std::function<void()> ended);
  /// How it ended, once; nothing while it is under way, or when there is nothing to tell.
  std::optional<Result<std::uint64_t>> take_outcome();
  [[nodiscard]] bool is_under_way() const { return thread_.joinable() && !has_ended_; }
  /// Returns when no work is under way any more. How it ended can still be taken.
  void stop();

 private:
  std::thread thread_;
  WorkProgress* progress_ = nullptr;
  std::optional<Result<std::uint64_t>> outcome_;  // the thread's, until has_ended_
  std::atomic<bool> has_ended_{false};
};

}  // namespace daybook::service
