// SPDX-License-Identifier: MIT
#include "daybook/daemon/sweep_schedule.hpp"

#include <algorithm>

namespace daybook::daemon {
namespace {

// Shares of one core that sweeps may take: as the only source of truth they may take more.
constexpr int kShareBesideEvents = 1000;  // one in a thousand: half of what is allowed
constexpr int kShareAlone = 50;
constexpr std::chrono::seconds kPolling{2};
constexpr double kSpread = 0.5;  // from three quarters to five quarters

}  // namespace

SweepSchedule::Duration SweepSchedule::interval(Backend backend) const {
  if (stretch_ == Stretch::forbidden && backend == Backend::events) {
    return interval_;
  }
  const Duration wanted = backend == Backend::events ? interval_ : std::min(interval_, kPolling);
  return std::max(wanted, cost_ * (backend == Backend::events ? kShareBesideEvents : kShareAlone));
}

void SweepSchedule::swept(watch::Moment now, Backend backend, double chance) {
  const std::chrono::duration<double> exact =
      interval(backend) * (1 - kSpread / 2 + kSpread * chance);
  next_ = now + std::chrono::duration_cast<Duration>(exact);
}

}  // namespace daybook::daemon
