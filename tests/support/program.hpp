// SPDX-License-Identifier: MIT
//
// A program as a child, as a shell would start it: its output kept apart, how it ended, and what it
// cost. Nothing of the test's own environment reaches it but what a sanitizer wants. A child that
// hangs is ended by SIGALRM, so that a test fails rather than waits.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace daybook::support {

struct Program {
  std::vector<std::string> command;  ///< the first is the program's path
  std::string folder = "/";          ///< where it starts
  /// Added to HOME=/nonexistent, PATH, TERM=dumb and LC_ALL=C.UTF-8; `NAME=value`.
  std::vector<std::string> environment;
  std::string stdin_file = "/dev/null";
  std::string stdout_file;        ///< instead of being kept, such as /dev/full
  bool on_terminal = false;       ///< stdout and stderr are one pseudo-terminal, read into `out`
  bool unprivileged = false;      ///< as nobody, if the test is run by root
  unsigned patience_seconds = 0;  ///< until it counts as hung; 0: as usual
  /// Called with the child's id once it runs, for instance to send it a signal.
  std::function<void(pid_t)> meanwhile;
};

struct ProgramOutcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;      ///< 0 when it ended by itself
  std::string out;
  std::string err;
  long cpu_ms = 0;   ///< user and system time
  long peak_kb = 0;  ///< largest resident set; at least that of the test program when it forked
};

ProgramOutcome run(const Program& program);

/// The words of a command on that vault, at that time.
std::vector<std::string> on_vault(const std::string& workspace,
                                  const std::string& state,
                                  const std::vector<std::string>& words,
                                  const std::string& now = "2026-03-30T00:00:00Z");

/// The same program under strace, which must be there: the calls of these kinds
/// (`openat,mkdir`), a line each, go to the file `log`.
Program traced(Program program, const std::string& calls, const std::string& log);

/// True where this program is built with a sanitizer, which multiplies time and memory.
bool is_sanitized();

/// The first of that name on the PATH of programs run here, or an empty string.
std::string find_program(const std::string& name);

}  // namespace daybook::support
