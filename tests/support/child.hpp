// SPDX-License-Identifier: MIT
//
// Work in a forked child: for what would spoil the test program itself (limits, privileges, the
// environment, stderr) or ends the process. The parent learns what the child answered, what it
// wrote to stderr and how it ended. A child that hangs is ended by SIGALRM, so that a test fails
// rather than waits.
#pragma once

#include <functional>
#include <string>

namespace daybook::support {

struct ChildOutcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;      ///< 0 when it ended by itself
  std::string answer;  ///< what the work returned
  std::string errors;  ///< what was written to stderr
};

/// Catch2's macros do not work inside: return what was seen, and judge it outside.
ChildOutcome run_in_child(const std::function<std::string()>& work);

/// Becomes nobody if it was root. False where that is not possible. Only for children.
bool drop_privileges();

}  // namespace daybook::support
