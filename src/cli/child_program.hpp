// SPDX-License-Identifier: MIT
//
// Other programs, started by their name and a list of words: never through a shell, so that no text
// from a note is ever a command. One thread; failure starts nothing.
#pragma once

#include <string>
#include <vector>

namespace daybook::cli {

/// The first of that name on PATH that may be run; empty: none.
std::string program_on_path(const std::string& name);

/// Runs a program with this text as its input and waits for its end. False: it could not be
/// started, and nothing was shown.
bool feed_program(const std::vector<std::string>& words, const std::string& input);

/// Starts a program that opens a window and says whether it seems to have worked: it ended well, or
/// is still at it after two seconds. Its output goes nowhere.
bool launch_program(const std::vector<std::string>& words);

}  // namespace daybook::cli
