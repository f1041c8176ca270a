// SPDX-License-Identifier: MIT
#include "daybook/host/broken_pipe.hpp"

namespace daybook::host {
namespace {

sigset_t pipe_signal() {
  sigset_t set{};
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

bool is_pending() {
  sigset_t pending{};
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

NoBrokenPipe::NoBrokenPipe() : was_pending_(is_pending()) {
  const sigset_t set = pipe_signal();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

NoBrokenPipe::~NoBrokenPipe() {
  if (!was_pending_ && is_pending()) {
    // A write raised it in this thread: it must be taken, or it would end the program now.
    const sigset_t set = pipe_signal();
    int taken = 0;
    sigwait(&set, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace daybook::host
