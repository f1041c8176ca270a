// SPDX-License-Identifier: MIT
#include "daybook/model/request_pace.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace daybook::model {

using std::chrono::milliseconds;

RequestPace::RequestPace(std::uint64_t requests_per_minute, Now now, Wait wait)
    : now_(std::move(now)), wait_(std::move(wait)) {
  if (requests_per_minute > 0) {
    between_ = std::chrono::nanoseconds(std::chrono::minutes(1)) /
               static_cast<std::int64_t>(requests_per_minute);
  }
  if (!now_) {
    now_ = [] { return std::chrono::steady_clock::now(); };
  }
}

void RequestPace::take(const std::atomic<bool>* cancelled) {
  constexpr milliseconds kPiece{50};
  while (next_ && now_() < *next_ && (cancelled == nullptr || !*cancelled)) {
    const auto left = std::chrono::ceil<milliseconds>(*next_ - now_());
    if (wait_) {
      wait_(left);
    } else {
      std::this_thread::sleep_for(std::min(left, kPiece));
    }
  }
  next_ = now_() + between_;
}

void RequestPace::hold(milliseconds time, Error why) {
  held_until_ = now_() + std::min<milliseconds>(time, kLongestHold);
  why_ = std::move(why);
}

std::optional<Error> RequestPace::held() const {
  return held_until_ && now_() < *held_until_ ? std::optional(why_) : std::nullopt;
}

}  // namespace daybook::model
