// SPDX-License-Identifier: MIT
#include "mcp/outlet.hpp"

#include "daybook/host/broken_pipe.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace daybook::mcp {
namespace {

constexpr int kLookMs = 500;

}  // namespace

void PipeOutlet::write(std::string line) {
  line.push_back('\n');
  const std::lock_guard lock(mutex_);
  const host::NoBrokenPipe no_signal;
  const char* begin = line.data();
  const char* const end = begin + line.size();
  while (!closed_ && begin < end) {
    pollfd ready{file_, POLLOUT, 0};
    const int count = ::poll(&ready, 1, kLookMs);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count == 0) {
      closed_ = is_over_();
    } else {
      closed_ = count < 0 || !write_some(begin, end);
    }
  }
}

void PipeOutlet::look() {
  pollfd end{file_, 0, 0};
  if (::poll(&end, 1, 0) > 0 && (end.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
    closed_ = true;
  }
}

/// No more than what a pipe with room takes without waiting.
bool PipeOutlet::write_some(const char*& begin, const char* end) const {
  const auto most = std::min<std::size_t>(static_cast<std::size_t>(end - begin), PIPE_BUF);
  const ssize_t written = ::write(file_, begin, most);
  if (written >= 0) {
    begin += written;
    return true;
  }
  return errno == EINTR || errno == EAGAIN;
}

}  // namespace daybook::mcp
