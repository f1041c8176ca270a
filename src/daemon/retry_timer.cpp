// SPDX-License-Identifier: MIT
#include "daybook/daemon/retry_timer.hpp"

#include <algorithm>

namespace daybook::daemon {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortest{500};
constexpr milliseconds kLongest{60'000};
/// Whoever is in the way will end; and no pass may be under way all the time because of that.
constexpr milliseconds kLongestBusy{5'000};

}  // namespace

void RetryTimer::failed(Moment now, Obstacle obstacle) {
  pause_ = std::clamp(pause_ * 2, kShortest, obstacle == Obstacle::busy ? kLongestBusy : kLongest);
  at_ = now + pause_;
}

void RetryTimer::made_up() {
  at_.reset();
  pause_ = milliseconds(0);
}

bool RetryTimer::take_due(Moment now) {
  if (!at_ || now < *at_) {
    return false;
  }
  at_.reset();
  return true;
}

}  // namespace daybook::daemon
