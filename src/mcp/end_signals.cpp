// SPDX-License-Identifier: MIT
#include "mcp/end_signals.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX
#include <unistd.h>
#include <utility>

namespace daybook::mcp {
namespace {

std::atomic<int> signalled{-1};

extern "C" void note_end(int /*signal*/) {
  const int before = errno;
  const char mark = '.';
  static_cast<void>(::write(signalled.load(), &mark, 1) == 1);
  errno = before;
}

}  // namespace

Result<EndSignals> EndSignals::listen() {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) {
    return base::system_error("cannot make a pipe for signals", {}, errno);
  }
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  return EndSignals(base::Descriptor(ends[0]), base::Descriptor(ends[1]));
}

EndSignals::EndSignals(base::Descriptor read, base::Descriptor write)
    : read_(std::move(read)), write_(std::move(write)), listening_(true) {
  signalled = write_.get();
  struct sigaction action {};
  action.sa_handler = note_end;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGTERM, &action, &term_);
  ::sigaction(SIGINT, &action, &interrupt_);
}

EndSignals::EndSignals(EndSignals&& other) noexcept
    : read_(std::move(other.read_)),
      write_(std::move(other.write_)),
      term_(other.term_),
      interrupt_(other.interrupt_),
      listening_(std::exchange(other.listening_, false)) {}

EndSignals::~EndSignals() {
  if (listening_) {
    ::sigaction(SIGTERM, &term_, nullptr);
    ::sigaction(SIGINT, &interrupt_, nullptr);
    signalled = -1;
  }
}

bool EndSignals::has_come() const {
  pollfd ready{read_.get(), POLLIN, 0};
  return ::poll(&ready, 1, 0) > 0;
}

}  // namespace daybook::mcp
