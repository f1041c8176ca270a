// SPDX-License-Identifier: MIT
//
// A process that publishes one generation, and stops or kills itself before a given step. Whoever
// makes one waits until that has happened. One thread.
#pragma once

#include "projection/publishing.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace daybook::projection {

inline constexpr std::array kAllSteps{PublishStep::inspect,
                                      PublishStep::judge,
                                      PublishStep::copy,
                                      PublishStep::write,
                                      PublishStep::announce,
                                      PublishStep::enter,
                                      PublishStep::rename,
                                      PublishStep::leave,
                                      PublishStep::record};

/// Inside the transaction nobody else can publish until it continues or dies.
inline bool inside_transaction(PublishStep step) {
  return step == PublishStep::rename || step == PublishStep::leave;
}

struct Holder {
  pid_t pid = -1;

  Holder(const Vault& vault,
         PublishStep at,
         int signal,
         std::int64_t number,
         std::int64_t generation) {
    pid = ::fork();
    if (pid == 0) {
      ::alarm(60);
      using std::chrono::milliseconds;
      auto desk = Desk::open(vault, {milliseconds{50}, milliseconds{5000}, 0, "holder"});
      if (!desk) {
        ::_exit(9);
      }
      bool signalled = false;
      const auto outcome =
          desk->publish(vault, {"MEMORY.md", version(number), generation}, [&](PublishStep step) {
            // Once: who finds the file changed begins anew.
            if (step == at && !std::exchange(signalled, true)) {
              ::kill(::getpid(), signal);
            }
          });
      ::_exit(outcome ? static_cast<int>(outcome->state) : 8);
    }
    int status = 0;
    const bool waited = ::waitpid(pid, &status, WUNTRACED) == pid;
    if (!waited || !(signal == SIGSTOP ? WIFSTOPPED(status) : WIFSIGNALED(status))) {
      throw std::runtime_error("the holder never came to the step");
    }
  }

  /// Its PublishState, or what else it exits with.
  int continue_to_end() const {
    ::kill(pid, SIGCONT);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

}  // namespace daybook::projection
