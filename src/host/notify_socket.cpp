// SPDX-License-Identifier: MIT
#include "daybook/host/notify_socket.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"
#include "host/unix_address.hpp"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <unistd.h>
#include <utility>

namespace daybook::host {
namespace {

#ifdef MSG_NOSIGNAL
constexpr int kQuietly = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
constexpr int kQuietly = MSG_DONTWAIT;
#endif

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): start-up
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// The rules of sd_watchdog_enabled(3): a process number that is not ours means another process.
std::optional<std::chrono::milliseconds> period_from_environment() {
  const auto microseconds = number_in(environment("WATCHDOG_USEC"));
  if (!microseconds || *microseconds == 0 ||
      *microseconds == std::numeric_limits<std::uint64_t>::max()) {
    return std::nullopt;
  }
  const std::string_view pid = environment("WATCHDOG_PID");
  if (!pid.empty() && number_in(pid) != static_cast<std::uint64_t>(::getpid())) {
    return std::nullopt;
  }
  constexpr std::uint64_t kHalfInMilliseconds = 2000;
  const std::uint64_t half = *microseconds / kHalfInMilliseconds;
  return std::chrono::milliseconds(static_cast<std::int64_t>(half > 0 ? half : 1));
}

int open_socket() {
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  if (socket >= 0) {
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  }
  return socket;
}

/// One line of valid UTF-8, or it could forge another message.
std::string status_line(std::string_view text) {
  constexpr std::size_t kMostBytes = 512;
  std::string line = base::printable(text);
  if (line.size() > kMostBytes) {
    line.resize(base::character_begin(line, kMostBytes));
  }
  return "STATUS=" + line;
}

std::string monotonic_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::to_string(static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1'000);
}

}  // namespace

Notifier Notifier::from_environment() {
  Notifier notifier;
  const std::string_view address = environment("NOTIFY_SOCKET");
  if (unix_address(address)) {
    notifier.address_ = address;
    notifier.socket_ = open_socket();
    notifier.watchdog_period_ = period_from_environment();
  }
  return notifier;
}

Notifier::Notifier(Notifier&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      address_(std::move(other.address_)),
      unsent_(std::move(other.unsent_)),
      watchdog_period_(std::exchange(other.watchdog_period_, std::nullopt)) {}

Notifier& Notifier::operator=(Notifier&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(address_, other.address_);
  std::swap(unsent_, other.unsent_);
  std::swap(watchdog_period_, other.watchdog_period_);
  return *this;
}

Notifier::~Notifier() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
}

bool Notifier::sent(const std::string& message) const {
  const auto address = unix_address(address_);
  return !address ||
         ::sendto(socket_,
                  message.data(),
                  message.size(),
                  kQuietly,
                  reinterpret_cast<const sockaddr*>(&address->name),
                  address->size) >= 0 ||
         (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS);
}

void Notifier::say(const std::string& message) {
  if (socket_ < 0) {
    return;
  }
  if (!unsent_.empty() && sent(unsent_)) {
    unsent_.clear();
  }
  sent(message);
}

void Notifier::ready(std::string_view status) {
  if (socket_ < 0) {
    return;
  }
  unsent_ = "READY=1\n" + status_line(status);
  if (sent(unsent_)) {
    unsent_.clear();
  }
}

void Notifier::reloading() {
  unsent_.clear();  // the end of the reload says it again
  say("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds());
}

void Notifier::stopping() { say("STOPPING=1"); }

void Notifier::status(std::string_view text) { say(status_line(text)); }

void Notifier::alive() { say("WATCHDOG=1"); }

}  // namespace daybook::host
