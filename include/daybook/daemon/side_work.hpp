// SPDX-License-Identifier: MIT
//
// What the keepers of the full text and of the vectors have in common: when the next work is due,
// whether the one under way is to end, and what went wrong. What failed is told once and tried
// again. The control thread's own, but for stop().
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/daemon/follow_schedule.hpp"
#include "daybook/service/work_progress.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace daybook::daemon {

class SideWork {
 public:
  using Moment = FollowSchedule::Moment;
  /// How it ended: how many files were left out.
  using Outcome = Result<std::uint64_t>;

  SideWork() = default;
  /// After failures it is tried again ever later, up to this.
  explicit SideWork(std::chrono::seconds longest_pause) : schedule_(longest_pause) {}

  /// The rows have changed, perhaps beside work that is under way.
  void want(Moment now) { schedule_.want(now); }
  void give_up() { schedule_.give_up(); }
  /// True: it counts as under way from now on, and is the caller's to begin with progress().
  bool take_due(Moment now);
  void ended(const Outcome& outcome, Moment now);
  /// What made it fail is mended, perhaps.
  void forget_pause() { schedule_.forget_pause(); }
  /// The work under way ends, and what failed counts no more.
  void start_over();

  std::optional<Moment> next() const { return schedule_.next(); }
  bool is_under_way() const { return schedule_.is_under_way(); }
  service::WorkProgress& progress() { return progress_; }

  /// Ends work that is under way; none begins any more. Any thread.
  void stop();

 private:
  std::atomic<bool> stopped_{false};
  service::WorkProgress progress_;
  FollowSchedule schedule_;
  std::string trouble_;  // as it was last told
};

}  // namespace daybook::daemon
