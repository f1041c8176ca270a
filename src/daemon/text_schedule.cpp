// SPDX-License-Identifier: MIT
#include "daybook/daemon/text_schedule.hpp"

#include <algorithm>

namespace daybook::daemon {
namespace {

constexpr std::chrono::milliseconds kQuiet{1000};
constexpr std::chrono::seconds kLongest{10};

}  // namespace

void TextSchedule::want(Moment now) {
  wanted_since_ = wanted_since_.value_or(now);
  at_ = std::min(now + kQuiet, std::max(now, *wanted_since_ + kLongest));
}

void TextSchedule::postpone(Moment now) { at_ = now + kQuiet; }

void TextSchedule::done() {
  at_.reset();
  wanted_since_.reset();
}

bool TextSchedule::is_overdue(Moment now) const {
  return is_due(now) && wanted_since_ && now - *wanted_since_ >= kLongest;
}

}  // namespace daybook::daemon
