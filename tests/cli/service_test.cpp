// SPDX-License-Identifier: MIT
//
// `daybook service` against stubs of systemctl, journalctl and launchctl, which write down how they
// were called, and against real processes that hold the workspace.
#include "cli/memory_vault.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/state/state_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// Answers questions from $STUB/view, fails with the words in $STUB/fail-WORD, else agrees.
constexpr const char* kStub = R"(#!/bin/sh
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

constexpr const char* kInactive =
    "ActiveState=inactive\nSubState=dead\nUnitFileState=enabled\nMainPID=0\nStatusText=\n";
constexpr const char* kActive =
    "ActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=4711\n"
    "StatusText=5 sessions\n";

class Desk {
 public:
  Desk() {
    for (const char* name : {"systemctl", "journalctl", "launchctl"}) {
      place().write(std::string("stubs/") + name, kStub);
      fs::permissions(place().at(std::string("stubs/") + name), fs::perms::owner_all);
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
    if (fs::exists(place().at("stub/calls"))) {
      std::istringstream lines(place().read("stub/calls"));
      for (std::string line; std::getline(lines, line);) {
        if (!contains(line, " show ") && !contains(line, " print ")) {
          calls.push_back(line);
        }
      }
      fs::remove(place().at("stub/calls"));
    }
    return calls;
  }

  std::string unit() const { return json({"status"}).at("unit"); }
  std::string file() const { return json({"status"}).at("file"); }

  state::StateFolder state() const {
    return state::StateFolder::open(place().at("state"),
                                    fs::canonical(place().at("vault")).string(),
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

}  // namespace

TEST_CASE("service install --dry-run prints the file and does nothing else") {
  const Desk desk;
  const auto outcome = desk.run({"install", "--dry-run"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("# Daybook service file"));
  CHECK(contains(outcome.out, "--workspace \"" + desk.place().at("vault") + "\""));
  CHECK(contains(outcome.out, "--state-dir \"" + desk.place().at("state") + "\""));
  CHECK(contains(outcome.err, "would write " + desk.place().at("home/.config/systemd/user/")));
  CHECK(desk.calls().empty());
  CHECK(fs::is_empty(desk.place().at("home")));
  CHECK_FALSE(fs::exists(desk.place().at("state")));
  CHECK(desk.json({"install", "--dry-run"}).at("text") == outcome.out);
}

TEST_CASE("service install writes the unit, tells systemd, and starts it") {
  const Desk desk;
  const std::string unit = desk.unit();
  desk.calls();
  const auto outcome = desk.run({"install"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "Wrote " + desk.place().at("home/.config/systemd/user/" + unit)));
  CHECK(desk.calls() ==
        Strings{"systemctl --user daemon-reload", "systemctl --user enable --now " + unit});
  CHECK(desk.place().read("home/.config/systemd/user/" + unit) ==
        desk.run({"install", "--dry-run"}).out);
  CHECK(fs::is_directory(desk.place().at("state")));  // the unit could not make it
}

TEST_CASE("service install twice changes nothing") {
  const Desk desk;
  desk.run({"install"});
  const std::string file = desk.file();
  const auto written = fs::last_write_time(file);
  desk.calls();
  const auto again = desk.run({"install"});
  CHECK(again.exit_code == 0);
  CHECK(contains(again.out, "Nothing to write"));
  CHECK(fs::last_write_time(file) == written);
  CHECK(desk.calls() == Strings{"systemctl --user enable --now " + desk.unit()});
}

TEST_CASE("service install --no-start only enables") {
  const Desk desk;
  CHECK(desk.run({"install", "--no-start"}).exit_code == 0);
  CHECK(desk.calls() ==
        Strings{"systemctl --user daemon-reload", "systemctl --user enable " + desk.unit()});
}

TEST_CASE("a running service is restarted when its file has changed") {
  const Desk desk;
  desk.run({"install"});
  std::string text = desk.place().read("home/.config/systemd/user/" + desk.unit());
  desk.place().write("home/.config/systemd/user/" + desk.unit(), text + "# older\n");
  desk.say_view(kActive);
  CHECK(desk.json({"status"}).at("current") == false);
  desk.calls();
  CHECK(desk.run({"install"}).exit_code == 0);
  const std::string unit = desk.unit();
  CHECK(desk.calls() == Strings{"systemctl --user daemon-reload",
                                "systemctl --user enable --now " + unit,
                                "systemctl --user restart " + unit});
  CHECK(desk.json({"status"}).at("current") == true);
}

TEST_CASE("a file that is not Daybook's is left alone until somebody insists") {
  const Desk desk;
  const std::string name = "home/.config/systemd/user/" + desk.unit();
  desk.place().write(name, "[Service]\nExecStart=/bin/true\n");
  desk.calls();
  for (const char* action : {"install", "uninstall"}) {
    const auto refused = desk.run({action});
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "--force"));
  }
  CHECK(desk.run({"uninstall", "--dry-run"}).exit_code == 2);
  CHECK(desk.calls().empty());
  CHECK(desk.place().read(name) == "[Service]\nExecStart=/bin/true\n");
  CHECK(desk.run({"install", "--force"}).exit_code == 0);
  CHECK(desk.place().read(name).starts_with("# Daybook service file"));
}

TEST_CASE("service uninstall stops, disables and removes, and a second time finds nothing") {
  const Desk desk;
  desk.run({"install"});
  const std::string file = desk.file();
  const std::string unit = desk.unit();
  desk.calls();
  const auto dry = desk.run({"uninstall", "--dry-run"});
  CHECK(contains(dry.out, "Would stop and disable " + unit));
  CHECK(desk.calls().empty());
  CHECK(fs::exists(file));
  CHECK(desk.run({"uninstall"}).exit_code == 0);
  CHECK(desk.calls() ==
        Strings{"systemctl --user disable --now " + unit, "systemctl --user daemon-reload"});
  CHECK_FALSE(fs::exists(file));
  const auto again = desk.run({"uninstall"});
  CHECK(again.exit_code == 0);
  CHECK(contains(again.out, "Nothing to remove"));
  CHECK(desk.calls().empty());
}

TEST_CASE("what systemctl says when it fails is in the error") {
  const Desk desk;
  desk.fail_at("enable", "Job for x.service failed.\nSee the journal.\n");
  const auto outcome = desk.run({"install"});
  CHECK(outcome.exit_code == 5);
  CHECK(contains(outcome.err, "the file is written, but the service is not set up"));
  CHECK(contains(outcome.err, "failed: Job for x.service failed.; See the journal."));
}

TEST_CASE("without a systemd that answers, watch --detach is offered and nothing is written") {
  const Desk desk;
  desk.fail_at("show", "Failed to connect to bus: No medium found\n");
  for (const char* action : {"install", "start"}) {
    const auto outcome = desk.run({action});
    CHECK(outcome.exit_code == 5);
    CHECK(contains(outcome.err, "Failed to connect to bus: No medium found"));
    CHECK(contains(outcome.err, "daybook watch --detach"));
  }
  CHECK(fs::is_empty(desk.place().at("home")));
  CHECK_FALSE(fs::exists(desk.place().at("state")));
  const auto status = desk.run({"status"});
  CHECK(status.exit_code == 0);
  CHECK(contains(status.out, "daybook watch --detach"));
  CHECK(desk.json({"status"}).at("reachable") == false);

  support::Program without = desk.program({"install"});
  without.environment[1] = "PATH=" + desk.place().at("empty");
  const auto outcome = support::run(without);
  CHECK(outcome.exit_code == 5);
  CHECK(contains(outcome.err, "no program 'systemctl' on PATH"));
}

TEST_CASE("service status tells what the manager says and who holds the workspace") {
  const Desk desk;
  desk.run({"install"});
  auto status = desk.json({"status"});
  CHECK(status.at("running") == false);
  CHECK(status.at("holder").is_null());
  CHECK(status.at("installed") == true);
  CHECK(status.at("active") == "inactive");
  desk.say_view(kActive);
  const Watcher watcher(desk);
  status = desk.json({"status"});
  CHECK(status.at("running") == true);
  CHECK(status.at("holder").at("pid") == watcher.pid());
  CHECK(status.at("pid") == 4711);
  CHECK(status.at("detail") == "running, 5 sessions");
  const auto human = desk.run({"status"});
  CHECK(contains(human.out, "active (running, 5 sessions), enabled"));
  CHECK_FALSE(contains(human.out, "started by hand"));
  desk.say_view(kInactive);
  CHECK(contains(desk.run({"status"}).out, "started by hand"));
}

TEST_CASE("service stop ends a service that was started by hand, and waits until it is gone") {
  const Desk desk;
  Watcher watcher(desk);
  const auto outcome = desk.run({"stop"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "Ended pid " + std::to_string(watcher.pid())));
  CHECK(watcher.end() == SIGTERM);
  const auto again = desk.run({"stop"});
  CHECK(again.exit_code == 0);
  CHECK(contains(again.out, "Nothing to stop"));
  CHECK(desk.json({"stop"}).at("stopped") == false);
}

TEST_CASE("service status, logs and stop know what watch --detach has started") {
  const Desk desk;
  const auto started = support::run(desk.detached());
  INFO(started.err);
  REQUIRE(started.exit_code == 0);
  const auto pid = nlohmann::json::parse(started.out).at("pid").get<pid_t>();
  const auto status = desk.json({"status"});
  CHECK(status.at("running") == true);
  CHECK(status.at("holder").at("pid") == pid);
  CHECK(desk.run({"logs"}).exit_code == 0);
  const auto stopped = desk.run({"stop"});
  INFO(stopped.err);
  CHECK(stopped.exit_code == 0);
  CHECK(contains(stopped.out, "Ended pid " + std::to_string(pid)));
  CHECK(desk.json({"status"}).at("running") == false);
}

TEST_CASE("service stop ends no process that runs on another machine") {
  const Desk desk;
  Watcher watcher(desk);
  const std::string note = "pid " + std::to_string(watcher.pid()) +
                           " (daybook watch) on elsewhere since 2026-03-30T00:00:00.000Z";
  desk.place().write("state/service.lock", note);
  const auto outcome = desk.run({"stop"});
  CHECK(outcome.exit_code == 3);
  CHECK(contains(outcome.err, "runs elsewhere"));
  CHECK(::kill(watcher.pid(), 0) == 0);
}

TEST_CASE("service stop asks the manager when the service is its own") {
  const Desk desk;
  desk.run({"install"});
  desk.say_view(kActive);
  desk.calls();
  CHECK(desk.run({"stop"}).exit_code == 0);
  CHECK(desk.calls() == Strings{"systemctl --user stop " + desk.unit()});
}

TEST_CASE("service start wants an installed service and a workspace that nobody holds") {
  const Desk desk;
  const auto missing = desk.run({"start"});
  CHECK(missing.exit_code == 2);
  CHECK(contains(missing.err, "not installed"));
  desk.run({"install"});
  desk.calls();
  CHECK(desk.run({"start"}).exit_code == 0);
  CHECK(desk.calls() == Strings{"systemctl --user start " + desk.unit()});
  const Watcher watcher(desk);
  for (const char* action : {"start", "install"}) {
    const auto busy = desk.run({action});
    CHECK(busy.exit_code == 3);
    CHECK(contains(busy.err, "pid " + std::to_string(watcher.pid())));
  }
  CHECK(desk.run({"install", "--no-start"}).exit_code == 0);
}

TEST_CASE("service logs shows the journal of the unit, or the log of a detached service") {
  const Desk desk;
  const auto none = desk.run({"logs"});
  CHECK(none.exit_code == 5);
  CHECK(contains(none.err, "there is no log"));
  desk.run({"install"});
  desk.calls();
  const auto journal = desk.run({"logs", "-n", "7"});
  CHECK(journal.out == "a line of the journal\n");
  desk.run({"logs", "-f"});
  CHECK(desk.calls() == Strings{"journalctl --user -u " + desk.unit() + " -n 7 --no-pager",
                                "journalctl --user -u " + desk.unit() + " -n 100 -f"});
  const Watcher watcher(desk);
  desk.place().write("state/watch.log", "one\ntwo\n\x1b[31mthree\n");
  CHECK(desk.run({"logs", "--lines", "2"}).out == "two\n\\x1b[31mthree\n");
  CHECK(desk.run({"logs", "--json"}).exit_code == 2);
}

TEST_CASE("a launchd agent is loaded, restarted and unloaded by launchctl") {
  const Desk desk;
  desk.say_view("");
  const auto run = [&desk](Strings arguments) {
    arguments.insert(arguments.end(), {"--manager", "launchd"});
    return desk.run(std::move(arguments));
  };
  const auto status = nlohmann::json::parse(run({"status", "--json"}).out);
  const std::string label = status.at("unit");
  const std::string file = status.at("file");
  const std::string domain = "gui/" + std::to_string(::getuid());
  CHECK(file == desk.place().at("home/Library/LaunchAgents/" + label + ".plist"));
  CHECK(run({"install"}).exit_code == 0);
  CHECK(desk.calls() == Strings{"launchctl enable " + domain + "/" + label,
                                "launchctl bootstrap " + domain + " " + file});
  desk.say_view("gui/501/x = {\n\tstate = running\n\tpid = 4711\n\tlast exit code = 0\n}\n");
  const auto running = nlohmann::json::parse(run({"status", "--json"}).out);
  CHECK(running.at("pid") == 4711);
  CHECK(running.at("active") == "running");
  CHECK(run({"start"}).exit_code == 0);
  CHECK(run({"stop"}).exit_code == 0);
  CHECK(run({"uninstall"}).exit_code == 0);
  CHECK(desk.calls() == Strings{"launchctl kickstart " + domain + "/" + label,
                                "launchctl bootout " + domain + "/" + label,
                                "launchctl bootout " + domain + "/" + label});
  CHECK_FALSE(fs::exists(file));
  desk.place().write("state/watch.log", "from the agent\n");
  CHECK(run({"logs"}).out == "from the agent\n");
}

TEST_CASE("two workspaces have two units") {
  const Desk first;
  const Desk second;
  CHECK(first.unit() != second.unit());
  CHECK(first.unit().size() == std::string("daybook-0123456789abcdef.service").size());
}

TEST_CASE("options of one action are no options of another") {
  const Desk desk;
  for (const Strings& arguments : std::vector<Strings>{{"status", "--dry-run"},
                                                       {"start", "--force"},
                                                       {"uninstall", "--no-start"},
                                                       {"install", "--follow"},
                                                       {"stop", "-n", "3"},
                                                       {"status", "--manager", "cron"},
                                                       {"frob"},
                                                       {}}) {
    CHECK(desk.run(arguments).exit_code == 2);
  }
  support::Program homeless = desk.program({"status"});
  homeless.environment[0] = "HOME=";
  CHECK(support::run(homeless).exit_code == 2);
}

}  // namespace daybook::test
