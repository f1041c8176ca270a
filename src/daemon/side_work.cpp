// SPDX-License-Identifier: MIT
#include "daybook/daemon/side_work.hpp"

#include "daemon/watch_log.hpp"

namespace daybook::daemon {

bool SideWork::take_due(Moment now) {
  if (!schedule_.is_due(now)) {
    return false;
  }
  progress_.cancelled = false;
  if (stopped_) {
    return false;  // stop() came before, and its wish must not be forgotten
  }
  schedule_.begun();
  return true;
}

void SideWork::ended(const Outcome& outcome, Moment now) {
  using End = FollowSchedule::End;
  const bool is_busy = !outcome && outcome.error().kind == ErrorKind::busy;
  const bool failed = !outcome && !is_busy;
  const bool cut_off = is_busy || progress_.cancelled;
  schedule_.ended(failed ? End::failed : cut_off ? End::cut_off : End::complete, now);
  const std::string trouble = failed ? outcome.error().message : std::string();
  if (failed && trouble != trouble_) {
    tell(base::LogLevel::warning, trouble, outcome.error().path);
  }
  trouble_ = trouble;
}

void SideWork::start_over() {
  progress_.cancelled = true;
  schedule_.forget_pause();
  trouble_.clear();
}

void SideWork::stop() {
  stopped_ = true;
  progress_.cancelled = true;
}

}  // namespace daybook::daemon
