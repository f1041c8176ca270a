// SPDX-License-Identifier: MIT
//
// While it lives, a reader that goes away is a failed write for this thread, and no end of the
// program. Other threads and the program's handling of signals stay as they are. Belongs to the
// thread that made it.
#pragma once

#include <csignal>

namespace daybook::host {

class NoBrokenPipe {
 public:
  NoBrokenPipe();
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe();

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace daybook::host
