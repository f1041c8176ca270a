// SPDX-License-Identifier: MIT
#include "daybook/daemon/follow_schedule.hpp"

#include <algorithm>

namespace daybook::daemon {
namespace {

constexpr std::chrono::milliseconds kQuiet{1000};
constexpr std::chrono::seconds kLongest{10};
constexpr std::chrono::seconds kFirstPause{1};

}  // namespace

void FollowSchedule::want(Moment now) {
  wanted_since_ = wanted_since_.value_or(now);
  at_ = std::min(now + kQuiet, std::max(now, *wanted_since_ + kLongest));
}

void FollowSchedule::begun() {
  at_.reset();
  wanted_since_.reset();
  under_way_ = true;
}

void FollowSchedule::ended(End how, Moment now) {
  under_way_ = false;
  pause_ = how == End::failed ? std::clamp(2 * pause_, kFirstPause, longest_pause_)
                              : std::chrono::seconds(0);
  not_before_ = now + pause_;
  if (how != End::complete) {
    want(now);
  }
}

void FollowSchedule::forget_pause() {
  pause_ = std::chrono::seconds(0);
  not_before_ = {};
}

void FollowSchedule::give_up() {
  at_.reset();
  wanted_since_.reset();
}

std::optional<FollowSchedule::Moment> FollowSchedule::next() const {
  if (under_way_ || !at_) {
    return std::nullopt;
  }
  return std::max(*at_, not_before_);
}

}  // namespace daybook::daemon
