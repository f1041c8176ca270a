// SPDX-License-Identifier: MIT
#include "host/ready_socket.hpp"

#include "host/unix_address.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace daybook::host {
namespace {

/// TMPDIR, unless a socket's name would become too long below it.
std::string folder_pattern() {
  constexpr std::size_t kMostBytes = 60;
  const char* value = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): start-up
  const std::string_view chosen = value == nullptr ? std::string_view() : std::string_view(value);
  const bool usable = chosen.starts_with('/') && chosen.size() <= kMostBytes;
  return std::string(usable ? chosen : std::string_view("/tmp")) + "/daybook-start-XXXXXX";
}

bool says_ready(std::string_view message) {
  while (!message.empty()) {
    const std::size_t end = message.find('\n');
    if (message.substr(0, end) == "READY=1") {
      return true;
    }
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  return false;
}

}  // namespace

Result<ReadySocket> ReadySocket::open() {
  ReadySocket ready;
  std::string folder = folder_pattern();
  if (::mkdtemp(folder.data()) == nullptr) {
    return base::system_error("cannot make a folder to hear from the new process", folder, errno);
  }
  ready.folder_ = folder;
  ready.path_ = folder + "/ready";
  ready.socket_ = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  const auto address = unix_address(ready.path_);
  if (ready.socket_ < 0 || !address ||
      ::bind(ready.socket_, reinterpret_cast<const sockaddr*>(&address->name), address->size) !=
          0) {
    return base::system_error(
        "cannot make a socket to hear from the new process", ready.path_, errno);
  }
  ::fcntl(ready.socket_, F_SETFD, FD_CLOEXEC);
  return ready;
}

ReadySocket::ReadySocket(ReadySocket&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      path_(std::exchange(other.path_, {})),
      socket_(std::exchange(other.socket_, -1)) {}

ReadySocket::~ReadySocket() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
  if (!folder_.empty()) {
    ::unlink(path_.c_str());
    ::rmdir(folder_.c_str());
  }
}

bool ReadySocket::heard_ready(std::chrono::milliseconds wait) {
  pollfd waiting{socket_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(wait.count())) <= 0) {
    return false;
  }
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0) {
      return false;
    }
    if (says_ready({buffer.data(), static_cast<std::size_t>(count)})) {
      return true;
    }
  }
}

}  // namespace daybook::host
