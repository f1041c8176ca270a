// SPDX-License-Identifier: MIT
//
// When every file is looked at again. The interval stretches with what a sweep costs, so that a
// large vault is not looked at all day long, and is spread by chance, so that several services of
// one machine do not fall into step. Pure; time and chance are handed in. One thread.
#pragma once

#include "daybook/watch/hint_queue.hpp"

#include <chrono>

namespace daybook::daemon {

enum class Backend { events, polling };
/// An interval that somebody has set is kept, whatever it costs.
enum class Stretch { allowed, forbidden };

class SweepSchedule {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit SweepSchedule(std::chrono::seconds interval) : interval_(interval) {}
  void set_interval(std::chrono::seconds interval, Stretch stretch) {
    interval_ = interval;
    stretch_ = stretch;
  }

  /// What a sweep took that had next to nothing to do but look.
  void measured(Duration cpu_time) { cost_ = cpu_time; }
  /// A sweep has ended. `chance` lies in [0, 1).
  void swept(watch::Moment now, Backend backend, double chance);
  /// The next one, whatever was planned.
  void plan(watch::Moment at) { next_ = at; }

  watch::Moment next() const { return next_; }
  /// Without the spread.
  Duration interval(Backend backend) const;

 private:
  std::chrono::seconds interval_;
  Stretch stretch_ = Stretch::allowed;
  Duration cost_{};
  watch::Moment next_{};
};

}  // namespace daybook::daemon
