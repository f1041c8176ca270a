// SPDX-License-Identifier: MIT
//
// When the next request to an endpoint may begin: so many a minute at most, tries anew included,
// and none before a time that the endpoint has asked for. Whoever asks the same endpoint for long
// keeps one for as long. The clock and the waiting are handed in. One thread at a time.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/model/model.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace daybook::model {

class RequestPace {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  using Now = std::function<Moment()>;

  /// However long the endpoint wants to be left alone: a mistake of its must not last for days.
  static constexpr std::chrono::hours kLongestHold{1};

  /// 0: no limit. Waits in short pieces while nothing is cancelled, unless told how to wait.
  explicit RequestPace(std::uint64_t requests_per_minute = 0, Now now = {}, Wait wait = {});

  /// Returns when the next request may begin, or nobody waits any more.
  void take(const std::atomic<bool>* cancelled = nullptr);

  /// Nothing is to be asked for so long, an hour at most; `why` says so meanwhile.
  void hold(std::chrono::milliseconds time, Error why);
  /// Why nothing is to be asked now; nothing: it may be.
  std::optional<Error> held() const;

 private:
  std::chrono::nanoseconds between_{0};
  Now now_;
  Wait wait_;
  std::optional<Moment> next_;
  std::optional<Moment> held_until_;
  Error why_;
};

}  // namespace daybook::model
