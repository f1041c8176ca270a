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

void TextSchedule::begun() {
  at_.reset();
  wanted_since_.reset();
  under_way_ = true;
}

void TextSchedule::ended(End how, Moment now) {
  under_way_ = false;
  if (how == End::cut_off) {
    want(now);
  }
}

}  // namespace daybook::daemon
