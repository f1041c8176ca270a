// SPDX-License-Identifier: MIT
//
// A child process that works beside this one and is ended with it: started by its path and a list
// of words, without input, on this process's stderr. For work that may take long or go wrong, and
// that is safe to be killed at any moment. One thread; the destructor kills what still runs.
#pragma once

#include "daybook/base/result.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace daybook::host {

class BackgroundChild {
 public:
  BackgroundChild() = default;
  ~BackgroundChild() { kill(); }
  BackgroundChild(const BackgroundChild&) = delete;
  BackgroundChild& operator=(const BackgroundChild&) = delete;

  /// Not while one runs.
  Result<void> start(const std::string& program, const std::vector<std::string>& arguments);
  bool is_running() const { return pid_ > 0; }
  /// How it ended, once: its exit code, or 128 and the signal's number. Does not wait.
  std::optional<int> take_end();
  void kill();

 private:
  pid_t pid_ = 0;
};

}  // namespace daybook::host
