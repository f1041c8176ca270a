// SPDX-License-Identifier: MIT
//
// What hooks leave in the spool of a watched vault -> a child process that captures it: `daybook
// capture drain --wait`. Not in the service itself, because a transcript may be huge and a model
// slow, and the service must neither grow nor wait; and because whatever goes wrong there, the
// spool keeps. Asked once a second by the control thread; ends its child with itself.
#pragma once

#include "cli/settings.hpp"
#include "daybook/host/background_child.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace daybook::cli {

class HookDrainer {
 public:
  /// The folder must outlive it.
  HookDrainer(const state::StateFolder& folder, const Settings& settings);

  void look(std::chrono::steady_clock::time_point now);
  void stop();

 private:
  bool has_work(std::chrono::steady_clock::time_point now);
  std::set<std::string> hooks() const;
  void ended(int exit_code, std::chrono::steady_clock::time_point now);

  const state::StateFolder& folder_;
  std::vector<std::string> arguments_;
  host::BackgroundChild child_;
  std::set<std::string> left_;     // names that could not be captured the last time
  std::chrono::seconds pause_{0};  // before these are tried again, longer each time
  std::chrono::steady_clock::time_point not_before_{};
  std::chrono::steady_clock::time_point next_snapshot_look_{};
  bool stopped_ = false;
};

}  // namespace daybook::cli
