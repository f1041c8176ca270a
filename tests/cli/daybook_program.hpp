// SPDX-License-Identifier: MIT
//
// The built program, run on a vault of the test.
#pragma once

#include "support/program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace daybook::test {

/// `daybook ARGUMENTS…`, to be altered before it is run.
inline support::Program daybook(std::vector<std::string> arguments) {
  support::Program program;
  program.command = {DAYBOOK_BINARY};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  return program;
}

inline support::ProgramOutcome run_daybook(std::vector<std::string> arguments) {
  return support::run(daybook(std::move(arguments)));
}

}  // namespace daybook::test
