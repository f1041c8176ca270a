// SPDX-License-Identifier: MIT
//
// One worker process of a row: trials in, what they say out, through a pipe. The records are texts
// that end with a NUL: "begin N", "complaint TEXT", "end N", "count NAME VALUE", "skipped WHY".
#pragma once

#include "gauntlet/row.hpp"

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace daybook::gauntlet {

class Worker {
 public:
  /// Begins at once, below `folder`, which is made and later deleted.
  Worker(const Row& row, std::vector<std::uint64_t> numbers, std::string folder);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// Ends the process if it has not ended.
  ~Worker();

  /// To be polled; what it has to say is then read.
  [[nodiscard]] int descriptor() const { return pipe_; }
  /// Word and rest of each whole record. False: the process has nothing more to say.
  bool read(std::vector<std::pair<std::string, std::string>>& records);
  /// Waits for the end. Empty: it ended as it should, else how.
  std::string end();
  void kill() const;

 private:
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string folder_;
  std::string unread_;
};

}  // namespace daybook::gauntlet
