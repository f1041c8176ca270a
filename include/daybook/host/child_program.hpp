// SPDX-License-Identifier: MIT
//
// Other programs, started by their name and a list of words: never through a shell, so that no text
// from a note is ever a command. One thread; failure starts nothing.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace daybook::host {

/// The first of that name on PATH that may be run; empty: none.
std::string program_on_path(const std::string& name);

/// Runs a program with this text as its input and waits for its end. False: it could not be
/// started, and nothing was shown.
bool feed_program(const std::vector<std::string>& words, const std::string& input);

/// Starts a program that opens a window and says whether it seems to have worked: it ended well, or
/// is still at it after two seconds. Its output goes nowhere.
bool launch_program(const std::vector<std::string>& words);

/// How a program that was asked something has ended.
struct ProgramAnswer {
  int exit_code = -1;  ///< -1: a signal ended it
  std::string out;
  std::string err;

  bool ok() const { return exit_code == 0; }
};

/// Runs a program without input and keeps what it says, at most 1 MiB of each stream. An error when
/// it is not there, or has not ended after `most`: then it is killed.
Result<ProgramAnswer> ask_program(const std::vector<std::string>& words,
                                  std::chrono::milliseconds most);

/// Runs a program on this program's own streams until it ends; its exit code, or 128 and the
/// signal's number.
Result<int> show_program(const std::vector<std::string>& words);

}  // namespace daybook::host
