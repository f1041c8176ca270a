// SPDX-License-Identifier: MIT
#include "cli/daybook_program.hpp"
#include "daybook/base/utf8.hpp"
#include "support/eventually.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>

using namespace daybook;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct HookDesk {
  HookDesk() {
    fs::create_directories(place.at("vault/memory"));
    place.write(
        "s-1.jsonl",
        R"({"type":"user","sessionId":"s-1","cwd":"/home/nina/tidewater","message":{"role":"user","content":"Please mend src/tide.cpp."}})"
        "\n");
  }

  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all{
        "--workspace", place.at("vault"), "--state-dir", place.at("state")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  support::ProgramOutcome hook(const std::string& input,
                               std::vector<std::string> environment = {},
                               std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"hook", "claude-code"};
    all.insert(all.end(), more.begin(), more.end());
    auto program = test::daybook(words(all));
    place.write("input", input);
    program.stdin_file = place.at("input");
    program.environment = std::move(environment);
    return support::run(program);
  }

  std::string event(const std::string& name) const {
    return json{{"hook_event_name", name},
                {"session_id", "s-1"},
                {"transcript_path", place.at("s-1.jsonl")},
                {"cwd", "/home/nina/tidewater"}}
        .dump();
  }

  std::size_t spooled() const {
    std::error_code none;
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         fs::directory_iterator(place.at("state/spool"), none)) {
      ++count;
    }
    return count;
  }

  support::TempFolder place;
};

}  // namespace

TEST_CASE("A hook never exits with anything but 0 and says nothing on stdout") {
  const HookDesk desk;
  const std::string input = GENERATE(
      as<std::string>(),
      "",
      "garbage",
      "[]",
      "{}",
      R"({"hook_event_name":"Stop","session_id":"x"})",
      R"({"hook_event_name":"SessionEnd"})",
      R"({"hook_event_name":"SessionEnd","session_id":"x","transcript_path":"/dev/zero"})",
      R"({"hook_event_name":"SessionEnd","session_id":"x","transcript_path":"/proc/self/mem"})",
      R"({"hook_event_name":"PreCompact","session_id":5})");
  const auto outcome = desk.hook(input);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(desk.spooled() == 0);
}

TEST_CASE("Not even a wrong option or a missing vault makes a hook fail") {
  const HookDesk desk;
  for (const auto& more :
       std::vector<std::vector<std::string>>{{"--bogus"}, {"--json", "x", "y"}}) {
    const auto outcome = desk.hook(desk.event("SessionEnd"), {}, more);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK_FALSE(outcome.err.empty());
  }
  auto program = test::daybook({"--workspace", "/nowhere", "--json", "hook", "claude-code"});
  program.stdin_file = desk.place.at("input");
  const auto outcome = support::run(program);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
}

TEST_CASE("A hook that is inhibited does nothing") {
  const HookDesk desk;
  const auto outcome = desk.hook(desk.event("SessionEnd"), {"DAYBOOK_INHIBIT=1"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK_FALSE(fs::exists(desk.place.at("state")));
}

TEST_CASE("At a session's start a hook prints MEMORY.md, within 10,000 characters") {
  const HookDesk desk;
  CHECK(desk.hook(desk.event("SessionStart")).out.empty());
  desk.place.write("vault/MEMORY.md", "# Memory\n\nA row.\n");
  CHECK(desk.hook(desk.event("SessionStart")).out == "# Memory\n\nA row.\n");
  std::string large = "# Memory\n";
  for (int i = 0; i < 2000; ++i) {
    large += "- a row with some umlauts: äöü\n";
  }
  desk.place.write("vault/MEMORY.md", large);
  const std::string shown = desk.hook(desk.event("SessionStart")).out;
  const std::size_t characters = base::count_characters(shown);
  CHECK(characters <= 10'000);
  CHECK(characters > 9'000);
  CHECK(shown.find("Cut here") != std::string::npos);
  CHECK_FALSE(fs::exists(desk.place.at("state")));
}

TEST_CASE("What a hook spooled is private, and is captured without a service") {
  const HookDesk desk;
  CHECK(desk.hook(desk.event("SessionEnd")).exit_code == 0);
  REQUIRE(desk.spooled() == 1);
  for (const auto& entry : fs::directory_iterator(desk.place.at("state/spool"))) {
    CHECK((entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
  }
  const json status =
      json::parse(support::run(test::daybook(desk.words({"--json", "status"}))).out);
  CHECK(status["spool"]["hooks"] == 1);
  CHECK(status["degraded"].dump().find("state-missing") == std::string::npos);
  const auto drained =
      support::run(test::daybook(desk.words({"--json", "capture", "drain", "--wait"})));
  INFO(drained.err);
  REQUIRE(drained.exit_code == 0);
  CHECK(json::parse(drained.out)["captured"] == 1);
  CHECK(desk.spooled() == 0);
  CHECK(desk.place.read("vault/MEMORY.md").find("session=s-1") != std::string::npos);
}

TEST_CASE("Draining is not done while a capture that was cut off cannot be finished") {
  const HookDesk desk;
  const auto compact = [&desk](const std::string& text) {
    auto program = test::daybook(desk.words({"--json", "capture", "compaction"}));
    desk.place.write("input.json", json{{"session_id", "run-1"}, {"text", text}}.dump());
    program.stdin_file = desk.place.at("input.json");
    return support::run(program);
  };
  const auto first = compact("First of src/tide.cpp\n");
  REQUIRE(first.exit_code == 0);
  const std::string manifest =
      "vault/" + json::parse(first.out)["paths"]["manifest"].get<std::string>();
  const std::string whole = desk.place.read(manifest);
  desk.place.write(manifest, "---\nkind: [\n---\n");
  REQUIRE(compact("Second of src/tide.cpp\n").exit_code != 0);
  REQUIRE(desk.spooled() == 1);

  const auto stuck = support::run(test::daybook(desk.words({"--json", "capture", "drain"})));
  CHECK(stuck.exit_code == 1);
  CHECK(json::parse(stuck.out)["failed"] == 1);
  CHECK(stuck.err.find("could not be finished") != std::string::npos);
  CHECK(desk.spooled() == 1);

  desk.place.write(manifest, whole);
  const auto done = support::run(test::daybook(desk.words({"--json", "capture", "drain"})));
  CHECK(done.exit_code == 0);
  CHECK(desk.spooled() == 0);
}

TEST_CASE("The service captures what hooks leave while it runs") {
  const HookDesk desk;
  auto program = test::daybook(desk.words({"watch"}));
  bool shown = false;
  program.meanwhile = [&](pid_t process) {
    support::eventually([&] { return fs::exists(desk.place.at("vault/MEMORY.md")); });
    desk.hook(desk.event("SessionEnd"));
    shown = support::eventually([&] {
      return desk.place.read("vault/MEMORY.md").find("session=s-1") != std::string::npos;
    });
    ::kill(process, SIGTERM);
  };
  const auto outcome = support::run(program);
  INFO(outcome.err);
  CHECK(shown);
  CHECK(outcome.exit_code == 0);
  CHECK(desk.spooled() == 0);
}

TEST_CASE("Hooks are put into the settings of a harness and taken out again, byte for byte") {
  const HookDesk desk;
  const std::string before =
      "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"SessionEnd\": [{\"hooks\": "
      "[{\"type\": \"command\", \"command\": \"mine\"}]}]\n    },\n    \"n\": 1.50\n}\n";
  desk.place.write("home/.claude/settings.json", before);
  const auto run = [&desk](std::vector<std::string> more) {
    auto program = test::daybook(desk.words(std::move(more)));
    program.environment = {"HOME=" + desk.place.at("home")};
    return support::run(program);
  };
  const auto dry = run({"hook", "install", "claude-code", "--dry-run"});
  CHECK(dry.exit_code == 0);
  CHECK(dry.out.find("hook claude-code") != std::string::npos);
  CHECK(desk.place.read("home/.claude/settings.json") == before);

  REQUIRE(run({"hook", "install", "claude-code"}).exit_code == 0);
  const std::string installed = desk.place.read("home/.claude/settings.json");
  const json settings = json::parse(installed);
  for (const char* event : {"SessionStart", "PreCompact", "PostCompact", "SessionEnd"}) {
    CHECK(settings["hooks"][event].dump().find("hook claude-code") != std::string::npos);
  }
  CHECK(settings["hooks"]["SessionEnd"].dump().find("mine") != std::string::npos);
  CHECK(installed.find("1.50") != std::string::npos);
  REQUIRE(run({"hook", "install", "claude-code"}).exit_code == 0);
  CHECK(desk.place.read("home/.claude/settings.json") == installed);
  REQUIRE(run({"hook", "uninstall", "claude-code"}).exit_code == 0);
  CHECK(desk.place.read("home/.claude/settings.json") == before);

  desk.place.write("home/.claude/settings.json", "{ // comment\n}");
  const auto refused = run({"hook", "install", "claude-code"});
  CHECK(refused.exit_code != 0);
  CHECK(refused.err.find("settings.json") != std::string::npos);
  CHECK(desk.place.read("home/.claude/settings.json") == "{ // comment\n}");
  CHECK(run({"hook", "install", "vim"}).exit_code == 2);
}

TEST_CASE(
    "An installed hook writes to where this shell would, whatever the harness's environment") {
  const HookDesk desk;
  fs::create_directories(desk.place.at("home"));
  const auto command_with = [&desk](const std::vector<std::string>& environment) {
    auto program = test::daybook({"--json", "hook", "install", "claude-code", "--dry-run"});
    program.environment = {"HOME=" + desk.place.at("home"),
                           "DAYBOOK_WORKSPACE=" + desk.place.at("vault")};
    program.environment.insert(program.environment.end(), environment.begin(), environment.end());
    const auto outcome = support::run(program);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const json settings = json::parse(json::parse(outcome.out)["text"].get<std::string>());
    return settings["hooks"]["SessionEnd"][0]["hooks"][0]["command"].get<std::string>();
  };
  const std::string usual = command_with({});
  CHECK(usual.find(" --workspace " + fs::canonical(desk.place.at("vault")).string() + " ") !=
        std::string::npos);
  CHECK(usual.find("--state-dir") == std::string::npos);
  CHECK(command_with({"DAYBOOK_STATE_DIR=" + desk.place.at("elsewhere")})
            .find(" --state-dir " + desk.place.at("elsewhere") + " ") != std::string::npos);
  CHECK(command_with({"XDG_STATE_HOME=" + desk.place.at("xdg")})
            .find(" --state-dir " + desk.place.at("xdg") + "/daybook/") != std::string::npos);
}

TEST_CASE("Installing says what it replaces, and uninstalling deletes no file that was there") {
  const HookDesk desk;
  const std::string file = desk.place.at("home/.claude/settings.json");
  const auto run = [&desk](std::vector<std::string> more) {
    auto program = test::daybook(desk.words(std::move(more)));
    program.environment = {"HOME=" + desk.place.at("home")};
    return support::run(program);
  };
  desk.place.write("home/.claude/settings.json", "");
  REQUIRE(run({"hook", "uninstall", "claude-code"}).exit_code == 0);
  CHECK(fs::exists(file));
  const auto first = run({"hook", "install", "claude-code"});
  CHECK(first.err.find("replaced") == std::string::npos);
  const auto second = run({"--agent", "scout", "hook", "install", "claude-code"});
  CHECK(second.err.find("replaced the hook ") != std::string::npos);
  CHECK(second.err.find(desk.place.at("state")) != std::string::npos);
  REQUIRE(run({"hook", "uninstall", "claude-code"}).exit_code == 0);
  CHECK(fs::exists(file));
  fs::remove(file);
  REQUIRE(run({"hook", "install", "claude-code"}).exit_code == 0);
  REQUIRE(run({"hook", "uninstall", "claude-code"}).exit_code == 0);
  CHECK_FALSE(fs::exists(file));

  fs::create_directories(file);
  CHECK(run({"hook", "install", "claude-code"}).err.find(file) != std::string::npos);
  fs::remove(file);
  desk.place.make_link("home/.claude/settings.json", desk.place.at("nowhere.json"));
  const auto dangling = run({"hook", "install", "claude-code"});
  CHECK(dangling.exit_code != 0);
  CHECK(dangling.err.find("a link that leads nowhere") != std::string::npos);
  CHECK(dangling.err.find(file) != std::string::npos);
}

TEST_CASE("A harness that does not listen to the end gets no signal for an answer") {
  const HookDesk desk;
  desk.place.write("vault/MEMORY.md", std::string(9'000, 'x') + "\n");
  desk.place.write("input", desk.event("SessionStart"));
  const auto program = test::daybook(desk.words({"hook", "claude-code"}));
  std::string line;
  for (const std::string& word : program.command) {
    line += "'" + word + "' ";
  }
  support::Program shell;
  shell.command = {"/bin/bash",
                   "-c",
                   "exec 3> >(:); wait $!; " + line + "< '" + desk.place.at("input") + "' >&3"};
  CHECK(support::run(shell).exit_code == 0);
}
