// SPDX-License-Identifier: MIT
//
// When the full text follows the rows: after some quiet, because a search can wait and MEMORY.md
// should not, and in a vault that is never quiet now and then all the same.
#pragma once

#include <chrono>
#include <optional>

namespace daybook::daemon {

class TextSchedule {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// The rows have changed.
  void want(Moment now);
  /// It was tried and did not come to its end.
  void postpone(Moment now);
  void done();

  bool is_due(Moment now) const { return at_ && now >= *at_; }
  /// It has waited so long that nothing goes before it now.
  bool is_overdue(Moment now) const;
  const std::optional<Moment>& next() const { return at_; }

 private:
  std::optional<Moment> at_;
  std::optional<Moment> wanted_since_;
};

}  // namespace daybook::daemon
