// SPDX-License-Identifier: MIT
//
// Asking a service manager's own program, with its words in the error. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/host/child_program.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace daybook::host {

/// For what only looks or notes something down.
inline constexpr std::chrono::seconds kQuickly{30};
/// For what waits until the service works: its first pass may take a while.
inline constexpr std::chrono::minutes kUntilReady{16};

/// What it printed; an error when it did not end with 0.
Result<std::string> command_manager(const std::vector<std::string>& words,
                                    std::chrono::milliseconds most);

/// What a program that failed said, on one line.
std::string words_of_failure(const ProgramAnswer& answer);

}  // namespace daybook::host
