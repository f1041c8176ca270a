// SPDX-License-Identifier: MIT
//
// A program that is talked to: a child whose input and output are pipes of the test, a line at a
// time. Whoever waits for a line waits for it at most a minute; what is still running at the end is
// killed by its id. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace daybook::support {

class PipedProgram {
 public:
  /// `environment` replaces the whole of it. stderr goes to the file of that name.
  PipedProgram(const std::vector<std::string>& command,
               const std::vector<std::string>& environment,
               const std::string& errors);
  PipedProgram(const PipedProgram&) = delete;
  PipedProgram& operator=(const PipedProgram&) = delete;
  ~PipedProgram();

  [[nodiscard]] pid_t id() const { return child_; }
  /// All of it, however long it takes the program to read. False when it does not.
  bool send(std::string_view bytes) const;
  /// The next line without its end; nothing when the output ends or nobody answers.
  std::optional<std::string> line();
  void close_input();
  void close_output();
  /// Waits for its end: the exit code, or -1 when a signal ended it or it did not end.
  int wait();
  /// What was written behind the last line that was taken, up to the end.
  std::string rest();

 private:
  bool read_more(int timeout_ms);

  pid_t child_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string read_;
};

}  // namespace daybook::support
