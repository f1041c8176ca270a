// SPDX-License-Identifier: MIT
//
// Hints -> paths that rest. A path is due when nothing more was heard of it for the settle time, so
// that the steps of one saving are one change, and at the latest after the longest wait, so that
// one that never rests is not forgotten. Paths that come to rest within moments of each other are
// due together, many of them only when all rest. What has gone waits longer: many editors delete
// and write anew. A look at everything is due when all of them rest, by the same rule. Pure but for
// its own list; time is handed in. One thread.
#pragma once

#include "daybook/watch/hint_queue.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daybook::watch {

struct SettleTimes {
  std::chrono::milliseconds settle{200};
  std::chrono::milliseconds longest{2000};
  /// Of what has gone; never above the longest.
  std::chrono::milliseconds settle_gone() const { return std::min(settle * 5, longest); }
};

struct Due {
  std::vector<std::string> paths;  ///< sorted
  bool everything = false;         ///< look at all; then no paths are named
  bool folders = false;            ///< because folders came or went: they have to be watched, too
};

class PendingPaths {
 public:
  /// With more paths than that, looking at everything is cheaper.
  static constexpr std::size_t kMost = 1024;

  explicit PendingPaths(SettleTimes times) : times_(times) {}
  void set_times(SettleTimes times) { times_ = times; }
  const SettleTimes& times() const { return times_; }

  void note(const TimedHint& hint);
  /// Removes and returns what is due.
  Due take_due(Moment now);
  /// When something will be due; nothing: there is nothing pending.
  std::optional<Moment> next_due() const;
  std::size_t size() const { return paths_.size(); }
  bool empty() const { return paths_.empty() && !everything_; }
  void clear();

 private:
  struct Wait {
    Moment first;
    Moment last;
    bool gone = false;
  };
  /// A look at everything is wanted: once all paths rest, or at the latest after the longest wait.
  void note_everything(Moment at);
  Moment due_at(const Wait& wait) const;
  Moment everything_due_at() const;
  Moment paths_due_at() const;
  Moment few_due_at() const;
  Moment many_due_at() const;

  SettleTimes times_;
  std::map<std::string, Wait> paths_;
  std::optional<Wait> everything_;
  bool folders_ = false;
};

}  // namespace daybook::watch
