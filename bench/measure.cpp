// SPDX-License-Identifier: MIT
// measure COMMAND [ARGUMENT...]: runs a command with its stdout thrown away and prints one line:
// wall seconds, CPU seconds, peak resident KiB (the largest single process of its tree), exit code,
// separated by tabs. What `time -v` does, where that package is not installed.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitCannotRun = 127;  // as a shell says it
constexpr int kSignalBase = 128;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

[[noreturn]] void become(char** command) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0 && ::dup2(nowhere, STDOUT_FILENO) >= 0) {
    ::execvp(command[0], command);
  }
  ::perror(command[0]);
  ::_exit(kExitCannotRun);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: measure COMMAND [ARGUMENT...]\n", stderr);
    return kExitUsage;
  }
  const auto started = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    become(argv + 1);
  }
  int status = 0;
  rusage usage{};
  pid_t ended = -1;
  do {
    ended = child < 0 ? -1 : ::wait4(child, &status, 0, &usage);
  } while (ended < 0 && child > 0 && errno == EINTR);
  if (ended < 0) {
    ::perror("measure");
    return kExitCannotRun;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  std::printf("%.6f\t%.6f\t%ld\t%d\n",
              wall.count(),
              seconds(usage.ru_utime) + seconds(usage.ru_stime),
              usage.ru_maxrss,
              WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status));
  return 0;
}
