// SPDX-License-Identifier: MIT
//
// `daybook service install` and `uninstall`: what is written, and what the manager is told.
#include "cli/service_desk.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

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

}  // namespace daybook::test
