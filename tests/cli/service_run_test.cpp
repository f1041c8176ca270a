// SPDX-License-Identifier: MIT
//
// `daybook service start`, `stop`, `status` and `logs`, by systemd, by launchd and by hand.
#include "cli/service_desk.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

}  // namespace

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
