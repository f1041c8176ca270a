// SPDX-License-Identifier: MIT
#include "canon/open_writers.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <thread>

namespace daybook::canon {

Writers await_writers(int file, std::chrono::milliseconds patience) {
#ifdef F_SETLEASE
  constexpr std::chrono::milliseconds kBetweenAttempts{1};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  // Whoever opens it in this moment makes the kernel send us a signal; SIGIO would end the process.
  if (::fcntl(file, F_SETSIG, SIGURG) != 0) {
    return Writers::unknown;
  }
  while (::fcntl(file, F_SETLEASE, F_RDLCK) != 0) {
    if (errno != EAGAIN) {
      return Writers::unknown;
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return Writers::some;
    }
    std::this_thread::sleep_for(kBetweenAttempts);
  }
  static_cast<void>(::fcntl(file, F_SETLEASE, F_UNLCK));
  return Writers::none;
#else
  static_cast<void>(file);
  static_cast<void>(patience);
  return Writers::unknown;
#endif
}

}  // namespace daybook::canon
