// SPDX-License-Identifier: MIT
//
// The commands that change something, through the real program: reindex, remove, unremove, accept,
// with bad input and beside other processes.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using nlohmann::json;
using support::ProgramOutcome;
using test::MemoryVault;

ProgramOutcome run(const MemoryVault& vault, std::vector<std::string> arguments) {
  return support::run(vault.program(std::move(arguments)));
}

json answer(const ProgramOutcome& outcome) {
  INFO(outcome.out << outcome.err);
  REQUIRE(json::accept(outcome.out));
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("reindex answers with the documented fields") {
  const MemoryVault vault;
  const auto first = run(vault, {"--json", "reindex"});
  CHECK(first.exit_code == 0);
  const json report = answer(first);
  CHECK(report.at("scanned") == 15);
  CHECK(report.at("added") == 15);
  CHECK(report.at("changed") == 0);
  CHECK(report.at("removed") == 0);
  CHECK(report.at("invalid") == 0);
  CHECK(report.at("sessions") == 5);
  CHECK(report.at("future") == 1);
  CHECK(report.at("generation") >= 1);
  CHECK(report.at("published") == json({"MEMORY.md", "agents/other/MEMORY.md"}));
  CHECK(report.contains("duration_ms"));
  const auto again = run(vault, {"reindex"});
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.out, Contains("0 added, 0 changed, 0 removed"));
  CHECK_THAT(again.out, Contains("1 session lies in the future"));
}

TEST_CASE("one agent's projection alone, and none for an agent that does not exist") {
  const MemoryVault vault;
  const auto one = run(vault, {"--json", "--agent", "other", "reindex"});
  CHECK(one.exit_code == 0);
  CHECK(answer(one).at("published") == json::array({"agents/other/MEMORY.md"}));
  CHECK_FALSE(fs::exists(vault.place().at("vault/MEMORY.md")));
  CHECK(run(vault, {"--agent", "nobody", "reindex"}).exit_code == 2);
  CHECK_FALSE(fs::exists(vault.place().at("vault/agents/nobody")));
  CHECK(run(vault, {"--agent", "../x", "reindex"}).exit_code == 2);
}

TEST_CASE("a preview writes no row, no MEMORY.md") {
  const MemoryVault vault;
  const auto preview = run(vault, {"reindex", "--dry-run", "--json"});
  CHECK(preview.exit_code == 0);
  CHECK(answer(preview).at("added") == 15);
  CHECK_FALSE(fs::exists(vault.place().at("vault/MEMORY.md")));
  CHECK_FALSE(fs::exists(vault.place().at("state/index.db")));
}

TEST_CASE("a second reindex says who is busy, or waits") {
  const MemoryVault vault;
  REQUIRE(run(vault, {"reindex"}).exit_code == 0);
  const int lock = ::open(vault.place().at("state/pipeline.lock").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(lock >= 0);
  REQUIRE(::flock(lock, LOCK_EX) == 0);
  const auto refused = run(vault, {"--json", "reindex", "--wait", "0"});
  CHECK(refused.exit_code == 3);
  CHECK(answer(refused).at("error").at("code") == "busy");
  CHECK_THAT(answer(refused).at("error").at("hint").get<std::string>(), Contains("--wait"));
  ::close(lock);
  CHECK(run(vault, {"reindex", "--wait", "0"}).exit_code == 0);
}

TEST_CASE("several at once wait for each other, and nothing is damaged") {
  const MemoryVault vault;
  std::vector<ProgramOutcome> outcomes(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      threads.emplace_back([&, i] {
        outcomes[i] = run(vault, {"reindex", "--full", "--wait", "60"});
      });
    }
  }
  for (const ProgramOutcome& outcome : outcomes) {
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, !Contains("damaged"));
  }
  const auto found = run(vault, {"search", "heron"});
  CHECK(found.exit_code == 0);
}

TEST_CASE("telemetry is reset only after a yes") {
  const MemoryVault vault;
  REQUIRE(run(vault, {"reindex"}).exit_code == 0);
  const auto refused = run(vault, {"reindex", "--reset-telemetry"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("--yes"));
  CHECK(run(vault, {"reindex", "--reset-telemetry", "--yes"}).exit_code == 0);
}

TEST_CASE("remove asks, shows, removes, and says what keeps it away") {
  const MemoryVault vault;
  REQUIRE(run(vault, {"reindex"}).exit_code == 0);
  CHECK(run(vault, {"remove"}).exit_code == 2);
  CHECK(run(vault, {"remove", "--session", "old"}).exit_code == 2);  // no reason
  CHECK(run(vault, {"remove", "--session", "none", "--reason", "x", "--yes"}).exit_code == 2);
  for (const char* how : {"--dry-run", "--yes"}) {  // a tombstone would keep it
    const auto secret =
        run(vault, {"remove", "--session", "old", "--reason", "password: hunter2xx", how});
    CHECK(secret.exit_code == 2);
    CHECK(secret.err.find("seems to hold a secret") != std::string::npos);
    CHECK(secret.err.find("hunter2xx") == std::string::npos);
  }
  const auto several = run(vault, {"remove", "--session", "key-1", "--reason", "x", "--yes"});
  CHECK(several.exit_code == 2);
  CHECK_THAT(several.err, Contains("several"));
  const auto unasked = run(vault, {"remove", "--session", "old", "--reason", "x"});
  CHECK(unasked.exit_code == 2);
  CHECK_THAT(unasked.err, Contains("--yes"));

  const auto preview =
      run(vault, {"remove", "--session", "old", "--reason", "x", "--dry-run", "--json"});
  CHECK(preview.exit_code == 0);
  const json plan = answer(preview);
  CHECK(plan.at("removed_paths").size() == 3);
  CHECK(plan.at("dry_run") == true);
  const std::string token = plan.at("session_token");
  for (const auto& path : plan.at("removed_paths")) {
    CHECK(fs::exists(vault.place().at("vault/" + path.get<std::string>())));
  }
  const auto removed = run(vault, {"remove", "--session", "old", "--reason", "x", "--yes"});
  INFO(removed.err);
  CHECK(removed.exit_code == 0);
  CHECK_THAT(removed.out, Contains(token));
  for (const auto& path : plan.at("removed_paths")) {
    CHECK_FALSE(fs::exists(vault.place().at("vault/" + path.get<std::string>())));
  }
  CHECK(run(vault, {"search", "bison"}).exit_code == 1);

  CHECK(run(vault, {"unremove", "nonsense"}).exit_code == 2);
  CHECK(run(vault, {"unremove", token}).exit_code == 0);
  CHECK(run(vault, {"unremove", token}).exit_code == 2);
}

TEST_CASE("accept refuses paths that lead nowhere or outside") {
  const MemoryVault vault;
  REQUIRE(run(vault, {"reindex"}).exit_code == 0);
  CHECK(run(vault, {"accept", "memory/none.md"}).exit_code == 2);
  CHECK(run(vault, {"accept", "../../etc/passwd"}).exit_code == 2);
  CHECK(run(vault, {"accept"}).exit_code == 2);
}

TEST_CASE("bad places are told and nothing is made there") {
  const MemoryVault vault;
  auto inside = vault.program({"reindex"});
  inside.command[4] = vault.place().at("vault/state");
  const auto refused = support::run(inside);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("outside the vault"));
  CHECK_FALSE(fs::exists(vault.place().at("vault/state")));
  vault.place().write("foreign/theirs.txt", "x");
  auto foreign = vault.program({"reindex"});
  foreign.command[4] = vault.place().at("foreign");
  CHECK(support::run(foreign).exit_code != 0);
  auto below_a_file = vault.program({"reindex"});
  below_a_file.command[4] = vault.place().at("foreign/theirs.txt/state");
  const auto no_folder = support::run(below_a_file);
  CHECK(no_folder.exit_code == 5);
  CHECK_THAT(no_folder.err, Contains("theirs.txt") && Contains("--state-dir"));
  CHECK_THAT(no_folder.err, !Contains("never indexed"));
  auto nowhere = vault.program({"reindex"});
  nowhere.command[2] = vault.place().at("nowhere");
  CHECK(support::run(nowhere).exit_code == 4);
}

}  // namespace daybook
