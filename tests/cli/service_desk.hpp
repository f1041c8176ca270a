// SPDX-License-Identifier: MIT
//
// A desk to run `daybook service` at: a vault, stubs of systemctl, journalctl and launchctl that
// write down how they were called, and real processes that hold the workspace.
#pragma once

#include "cli/memory_vault.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/state/state_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace daybook::test {

using Strings = std::vector<std::string>;

/// Answers questions from $STUB/view, fails with the words in $STUB/fail-WORD, else agrees.
inline constexpr const char* kStub = R"(#!/bin/sh
echo "${0##*/} $*" >> "$STUB/calls"
for word in "$@"; do
  if [ -f "$STUB/fail-$word" ]; then cat "$STUB/fail-$word" >&2; exit 1; fi
done
case "$*" in
  *ActiveState*) cat "$STUB/view" ;;
  print\ gui/*/*) [ -s "$STUB/view" ] || exit 113; cat "$STUB/view" ;;
  *journal*|-u*|*" -u "*) echo "a line of the journal" ;;
esac
)";

inline constexpr const char* kInactive =
    "ActiveState=inactive\nSubState=dead\nUnitFileState=enabled\nMainPID=0\nStatusText=\n";
inline constexpr const char* kActive =
    "ActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=4711\n"
    "StatusText=5 sessions\n";

class Desk {
 public:
  Desk() {
    for (const char* name : {"systemctl", "journalctl", "launchctl"}) {
      place().write(std::string("stubs/") + name, kStub);
      std::filesystem::permissions(place().at(std::string("stubs/") + name),
                                   std::filesystem::perms::owner_all);
    }
    say_view(kInactive);
    place().make_folder("home");
  }

  const support::TempFolder& place() const { return vault_.place(); }
  void say_view(const std::string& text) const { place().write("stub/view", text); }
  void fail_at(const std::string& word, const std::string& words) const {
    place().write("stub/fail-" + word, words);
  }

  support::Program program(Strings arguments) const {
    arguments.insert(arguments.begin(), "service");
    support::Program program = vault_.program(std::move(arguments));
    program.environment = {"HOME=" + place().at("home"),
                           "PATH=" + place().at("stubs") + ":/usr/bin:/bin",
                           "STUB=" + place().at("stub")};
    return program;
  }
  support::Program detached() const {
    support::Program program = vault_.program({"watch", "--detach", "--json"});
    program.environment = {"HOME=" + place().at("home")};
    return program;
  }
  support::ProgramOutcome run(Strings arguments) const {
    return support::run(program(std::move(arguments)));
  }
  nlohmann::json json(Strings arguments) const {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(run(std::move(arguments)).out);
  }

  /// How the stubs were called since the last look, without the questions.
  Strings calls() const {
    Strings calls;
    if (std::filesystem::exists(place().at("stub/calls"))) {
      std::istringstream lines(place().read("stub/calls"));
      for (std::string line; std::getline(lines, line);) {
        if (!contains(line, " show ") && !contains(line, " print ")) {
          calls.push_back(line);
        }
      }
      std::filesystem::remove(place().at("stub/calls"));
    }
    return calls;
  }

  std::string unit() const { return json({"status"}).at("unit"); }
  std::string file() const { return json({"status"}).at("file"); }

  state::StateFolder state() const {
    return state::StateFolder::open(place().at("state"),
                                    std::filesystem::canonical(place().at("vault")).string(),
                                    state::Create::if_missing)
        .value();
  }

 private:
  MemoryVault vault_;
};

/// A process that watches the workspace, as far as others can tell.
class Watcher {
 public:
  explicit Watcher(const Desk& desk) {
    const state::StateFolder folder = desk.state();
    std::array<int, 2> ready{};
    REQUIRE(::pipe(ready.data()) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::signal(SIGTERM, SIG_DFL);
      ::alarm(60);
      const auto lock = state::ServiceLock::acquire(folder, "daybook watch", {0});
      static_cast<void>(::write(ready[1], lock ? "y" : "n", 1));
      ::pause();
      ::_exit(0);
    }
    char answer = 'n';
    ::close(ready[1]);
    REQUIRE(::read(ready[0], &answer, 1) == 1);
    ::close(ready[0]);
    REQUIRE(answer == 'y');
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }
  /// The signal that ended it.
  int end() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  pid_t pid_ = 0;
};

}  // namespace daybook::test
