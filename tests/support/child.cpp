// SPDX-License-Identifier: MIT
#include "support/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <grp.h>
#include <stdexcept>
#include <string_view>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::support {
namespace {

constexpr unsigned kPatienceSeconds = 60;
constexpr uid_t kNobody = 65534;

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count <= 0) {
      ::_exit(99);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// A file without a name: stderr never blocks on it, however much is written.
int nameless_file() {
  std::string pattern = "/tmp/daybook-child-XXXXXX";
  const int fd = ::mkstemp(pattern.data());
  if (fd < 0) {
    throw std::runtime_error("no file for the child's stderr");
  }
  ::unlink(pattern.c_str());
  return fd;
}

/// Catch2 would take a child's abort for a failure of the test program.
void give_signals_back() {
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGINT, SIGTERM}) {
    ::signal(number, SIG_DFL);
  }
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, int answer, int errors) {
  give_signals_back();
  ::alarm(kPatienceSeconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(errors, STDERR_FILENO);
  int code = 0;
  std::string text;
  try {
    text = work();
  } catch (const std::exception& thrown) {
    text = std::string("thrown: ") + thrown.what();
    code = 1;
  }
  write_all(answer, text);
  ::_exit(code);  // no destructors, no buffers of the parent's
}

}  // namespace

ChildOutcome run_in_child(const std::function<std::string()>& work) {
  std::array<int, 2> answer{};
  if (::pipe(answer.data()) != 0) {
    throw std::runtime_error("no pipe to the child");
  }
  const int errors = nameless_file();
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::runtime_error("no child");
  }
  if (child == 0) {
    ::close(answer[0]);
    be_the_child(work, answer[1], errors);
  }
  ::close(answer[1]);
  ChildOutcome outcome;
  outcome.answer = read_all(answer[0]);
  ::close(answer[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) {
    outcome.exit_code = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
  }
  ::lseek(errors, 0, SEEK_SET);
  outcome.errors = read_all(errors);
  ::close(errors);
  return outcome;
}

bool drop_privileges() {
  if (::geteuid() != 0) {
    return true;
  }
  return ::setgroups(0, nullptr) == 0 && ::setegid(kNobody) == 0 && ::seteuid(kNobody) == 0;
}

}  // namespace daybook::support
