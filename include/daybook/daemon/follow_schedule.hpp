// SPDX-License-Identifier: MIT
//
// Changes and how the last work ended -> when what follows the rows (the full text, the vectors)
// begins: after some quiet, so that many changes are one piece of work, and in a vault that is
// never quiet now and then all the same. One at a time. Values; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace daybook::daemon {

class FollowSchedule {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  enum class End : std::uint8_t {
    complete,
    cut_off,  ///< it goes on soon
    failed,   ///< the next one comes ever later, up to the longest pause
  };

  explicit FollowSchedule(std::chrono::seconds longest_pause = std::chrono::seconds(60))
      : longest_pause_(longest_pause) {}

  /// The rows have changed, perhaps beside one that is under way.
  void want(Moment now);
  void begun();
  void ended(End how, Moment now);

  /// What made it fail is mended, perhaps.
  void forget_pause();
  /// None is wanted any more.
  void give_up();

  bool is_due(Moment now) const { return next() && now >= *next(); }
  bool is_under_way() const { return under_way_; }
  /// Nothing while one is under way.
  std::optional<Moment> next() const;

 private:
  std::chrono::seconds longest_pause_;
  std::optional<Moment> at_;
  std::optional<Moment> wanted_since_;
  std::chrono::seconds pause_{0};  // after failures
  Moment not_before_{};
  bool under_way_ = false;
};

}  // namespace daybook::daemon
