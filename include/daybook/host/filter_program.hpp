// SPDX-License-Identifier: MIT
//
// Text through another program: text on its standard input -> what it writes to its standard
// output. Started by a list of words, never through a shell. It has a session of its own, so no
// terminal to ask on, and when its time is up or it says too much it is killed with every process
// that it started (but for those that left its process group). What it writes to stderr goes
// nowhere: it may hold the text. Any thread; failure leaves no process behind.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::host {

struct FilterProgram {
  std::vector<std::string> words;  ///< the first is a name on PATH, or a path
  /// `NAME=value`, in addition to this process's own, or instead of those of that name.
  std::vector<std::string> variables;
  std::chrono::milliseconds most_time{60'000};
  std::size_t most_output = std::size_t{1} << 20U;
};

struct FilterAnswer {
  int exit_code = -1;  ///< -1: a signal ended it
  std::string out;

  bool ok() const { return exit_code == 0; }
};

/// ErrorKind::not_found when there is no such program; `busy` when it did not end in time; `io`
/// when it said more than `most_output`, or could not be started. A program that ends without
/// reading its input is no failure, and one whose children keep its output open is not waited for.
Result<FilterAnswer> run_filter(const FilterProgram& program, std::string_view input);

}  // namespace daybook::host
