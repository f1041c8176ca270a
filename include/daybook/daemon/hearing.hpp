// SPDX-License-Identifier: MIT
//
// Whether the watcher still hears: a change that a timer's sweep has found and that nothing was
// heard of, neither before nor for a while after, was made in front of deaf ears.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace daybook::daemon {

class Hearing {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// A sweep found a change; `heard` is the number of hints there had been before it.
  void doubt(std::uint64_t heard, Moment until) { doubt_ = Doubt{heard, until}; }

  /// True once, when the time is over and there are no more hints than before.
  bool proves_deaf(std::uint64_t heard, Moment now) {
    if (!doubt_ || now < doubt_->until) {
      return false;
    }
    const bool deaf = heard == doubt_->heard;
    doubt_.reset();
    return deaf;
  }

 private:
  struct Doubt {
    std::uint64_t heard = 0;
    Moment until;
  };
  std::optional<Doubt> doubt_;
};

}  // namespace daybook::daemon
