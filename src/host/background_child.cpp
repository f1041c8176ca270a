// SPDX-License-Identifier: MIT
#include "daybook/host/background_child.hpp"

#include "host/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace daybook::host {
namespace {

constexpr int kSignalBase = 128;

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

}  // namespace

Result<void> BackgroundChild::start(const std::string& program,
                                    const std::vector<std::string>& arguments) {
  if (is_running()) {
    return Error{ErrorKind::busy, "the last one is still at work", program, {}};
  }
  Spawn spawn;
  spawn.input_from_nowhere();
  spawn.output_to(STDERR_FILENO);
  spawn.errors_to(STDERR_FILENO);
  spawn.close_all_others();
  spawn.own_session();
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  TRY_ASSIGN(pid_, spawn.start(program, words));
  return {};
}

std::optional<int> BackgroundChild::take_end() {
  int status = 0;
  if (!is_running() || ::waitpid(pid_, &status, WNOHANG) != pid_) {
    return std::nullopt;
  }
  pid_ = 0;
  return exit_code_of(status);
}

void BackgroundChild::kill() {
  if (!is_running()) {
    return;
  }
  // Its session is its own, so its process group is, too: a model's command ends with it.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

}  // namespace daybook::host
