// SPDX-License-Identifier: MIT
#include "state/process_identity.hpp"

#include "daybook/base/base32.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

#ifdef __linux__
#include <sys/random.h>
#endif

namespace daybook::state {
namespace {

struct ProcessStatus {
  char state = '?';
  std::int64_t started = 0;
};

/// Linux alone has it; elsewhere nothing.
std::optional<ProcessStatus> status_of(std::int64_t pid) {
  const std::string path = std::string("/proc/").append(std::to_string(pid)).append("/stat");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  std::array<char, 2048> buffer{};
  const ssize_t count = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  if (count <= 0) {
    return std::nullopt;
  }
  std::string_view text(buffer.data(), static_cast<std::size_t>(count));
  // The second field is the program's name in parentheses, which may hold blanks and parentheses.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos || text.size() < name_end + 3) {
    return std::nullopt;
  }
  text.remove_prefix(name_end + 2);
  ProcessStatus status;
  status.state = text.front();
  constexpr int kFieldsFromStateToStart = 19;
  for (int field = 0; field < kFieldsFromStateToStart; ++field) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos) {
      return std::nullopt;
    }
    text.remove_prefix(blank + 1);
  }
  std::from_chars(text.data(), text.data() + text.size(), status.started);
  return status;
}

}  // namespace

namespace {

ProcessIdentity look_at_this_process() {
  ProcessIdentity self;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) {
    self.host = host.data();
  }
  self.pid = ::getpid();
  if (const auto status = status_of(self.pid)) {
    self.started = status->started;
  }
  return self;
}

}  // namespace

ProcessIdentity this_process() {
  // Asked with every pass, and the same until it forks.
  static thread_local ProcessIdentity known;
  if (known.pid != ::getpid()) {
    known = look_at_this_process();
  }
  return known;
}

bool may_be_alive(std::int64_t pid, std::int64_t started) {
  if (pid <= 0 || (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)) {
    return false;
  }
  const auto status = status_of(pid);
  if (!status) {
    return true;
  }
  // A zombie has let go of everything; only its parent has not looked yet.
  if (status->state == 'Z' || status->state == 'X') {
    return false;
  }
  return started == 0 || status->started == started;
}

std::string random_letters(std::size_t count) {
  std::vector<std::uint8_t> random((count * 5 + 7) / 8);
  if (::getentropy(random.data(), random.size()) != 0) {
    std::abort();
  }
  return base::base32_lower(random).substr(0, count);
}

}  // namespace daybook::state
