// SPDX-License-Identifier: MIT
//
// When a pass that failed is tried again: ever later, up to five seconds when somebody was in the
// way, up to a minute when it is something that time alone may not mend.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace daybook::daemon {

enum class Obstacle : std::uint8_t {
  busy,  ///< another process is at it, and will end
  failure,
};

class RetryTimer {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  void failed(Moment now, Obstacle obstacle);
  /// Not after a failure: there is something to look at again.
  void expect(Moment at) { at_ = at; }
  /// A sweep has made up for all that was left undone.
  void made_up();
  /// True once for each time that has come.
  bool take_due(Moment now);
  const std::optional<Moment>& next() const { return at_; }

 private:
  std::optional<Moment> at_;
  std::chrono::milliseconds pause_{0};
};

}  // namespace daybook::daemon
