// SPDX-License-Identifier: MIT
//
// Keeps the full text behind the rows: begins it when it is due, on the pipeline's own thread, and
// takes how it ended. A search can wait for it, an agent that reads MEMORY.md should not: so it is
// made beside the passes, by one thread, and is in nobody's way. The control thread's own, but for
// stop(). What failed is told once and tried again.
#pragma once

#include "daybook/daemon/text_schedule.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/service/work_progress.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace daybook::daemon {

class TextKeeper {
 public:
  using Moment = TextSchedule::Moment;

  /// `pipeline` must outlive it; `ended` is called on another thread.
  TextKeeper(service::Pipeline& pipeline, std::function<void()> ended);
  ~TextKeeper();
  TextKeeper(const TextKeeper&) = delete;
  TextKeeper& operator=(const TextKeeper&) = delete;

  /// After each pass, also one that failed: it may have changed rows before.
  void passed(Moment now);
  /// Takes note of one that has ended, and begins one that is due.
  void look(Moment now, service::PassRequest request);
  std::optional<Moment> next() const { return schedule_.next(); }
  bool is_under_way() const { return schedule_.is_under_way(); }

  /// Ends one that is under way at its next document; none begins any more. Any thread.
  void stop();

 private:
  void take_outcome(Moment now);

  service::Pipeline& pipeline_;
  std::function<void()> ended_;
  std::atomic<bool> stopped_{false};
  service::WorkProgress progress_;
  TextSchedule schedule_;
  bool has_passed_ = false;  // a pass, since it was begun
  std::string trouble_;      // as it was last told
};

}  // namespace daybook::daemon
