// SPDX-License-Identifier: MIT
//
// A progress bar on stderr for work over half a second, and Ctrl-C as a request to stop. The bar
// has a thread of its own that only reads counters; on anything but a terminal it shows nothing. At
// most one of each at a time.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/service/work_progress.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace daybook::cli {

class ProgressBar {
 public:
  ProgressBar(const service::WorkProgress& progress, const Settings& settings);
  /// Ends the thread and wipes the bar.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void run();
  void draw();

  const service::WorkProgress& progress_;
  base::Stopwatch stopwatch_;
  bool drawn_ = false;  // touched by the thread, and by the destructor after it has ended
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;  // guarded by mutex_
  std::jthread thread_;
};

/// While it lives, SIGINT and SIGTERM set the flag instead of ending the program; a second signal
/// ends it as usual.
class InterruptFlag {
 public:
  explicit InterruptFlag(std::atomic<bool>& flag);
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
};

/// The line that the bar shows, without control sequences.
std::string progress_line(std::uint64_t done,
                          std::uint64_t total,
                          std::uint64_t bytes,
                          double seconds,
                          std::size_t width);

}  // namespace daybook::cli
