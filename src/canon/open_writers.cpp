// SPDX-License-Identifier: MIT
#include "canon/open_writers.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace daybook::canon {
namespace {

enum class Lease : std::uint8_t { taken, refused, impossible };

#ifdef F_SETLEASE
/// Refused: somebody has had the file open for writing all the time.
Lease take_lease(int file) {
  constexpr std::chrono::milliseconds kPatience{1000};
  constexpr std::chrono::milliseconds kBetweenAttempts{1};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  // Whoever opens it in this moment makes the kernel send us a signal; SIGIO would end the process.
  if (::fcntl(file, F_SETSIG, SIGURG) != 0) {
    return Lease::impossible;
  }
  while (::fcntl(file, F_SETLEASE, F_RDLCK) != 0) {
    if (errno != EAGAIN) {
      return Lease::impossible;
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return Lease::refused;
    }
    std::this_thread::sleep_for(kBetweenAttempts);
  }
  return Lease::taken;
}

void give_lease_back(int file) { static_cast<void>(::fcntl(file, F_SETLEASE, F_UNLCK)); }
#else
Lease take_lease(int /*file*/) { return Lease::impossible; }

void give_lease_back(int /*file*/) {}
#endif

Result<std::string> read_from_beginning(int file, const std::string& path) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count =
        ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return base::system_error("cannot read the file", path, errno);
    }
    if (count == 0) {
      return bytes;
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Error still_written(const std::string& path) {
  return {ErrorKind::busy,
          "another program has this file open for writing",
          path,
          "close it in the editor or wait for the synchronisation, then try again"};
}

}  // namespace

Result<void> await_settled(int file, const std::string& path) {
  const Lease lease = take_lease(file);
  if (lease == Lease::refused) {
    return still_written(path);
  }
  if (lease == Lease::taken) {
    give_lease_back(file);
  }
  return {};
}

Result<std::string> read_settled(int file, const std::string& path) {
  const Lease lease = take_lease(file);
  if (lease == Lease::refused) {
    return still_written(path);
  }
  Result<std::string> bytes = read_from_beginning(file, path);
  if (lease == Lease::taken) {
    give_lease_back(file);
  }
  return bytes;
}

}  // namespace daybook::canon
