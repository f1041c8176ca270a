// SPDX-License-Identifier: MIT
//
// status, render and config: nothing stale is told as fresh, nothing is made by looking, and what
// needs a person is named.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;

bool is_degraded(const nlohmann::json& status, const std::string& reason) {
  const auto& reasons = status.at("degraded");
  return std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
}

TEST_CASE("A workspace that was never indexed has a status, and nothing is made by asking") {
  const MemoryVault vault;
  const auto human = vault.run({"status"});
  CHECK(human.exit_code == 0);
  CHECK(contains(human.out, "never indexed"));
  const auto status = vault.json({"status"});
  CHECK(status.at("indexed") == false);
  CHECK(status.at("fresh") == false);
  CHECK(status.at("last_sweep").is_null());
  for (const char* command : {"log", "links", "show", "open"}) {
    INFO(command);
    CHECK(vault.run({command, "--", "x"}).exit_code != 0);
  }
  CHECK(vault.run({"log"}).exit_code == 4);
  CHECK(vault.run({"render", "--stdout"}).exit_code == 4);
  CHECK_FALSE(fs::exists(vault.place().at("state")));
  fs::remove_all(vault.place().at("vault/memory"));
  CHECK(vault.run({"status"}).exit_code == 4);
}

TEST_CASE("status gives every documented field of a vault in order") {
  const MemoryVault vault;
  vault.index();
  const auto status = vault.json({"status"});
  CHECK(status.at("workspace") == fs::canonical(vault.place().at("vault")).string());
  CHECK(status.at("state_dir") == vault.place().at("state"));
  CHECK(status.at("running") == false);
  CHECK(status.at("backend").is_null());
  CHECK(status.at("fresh") == true);
  CHECK(status.at("last_sweep") == "2026-03-30T00:00:00.000Z");
  CHECK(status.at("generation") > 0);
  CHECK(status.at("artifacts") == 15);
  CHECK(status.at("sessions") == 5);
  CHECK(status.at("diagnostics").at("error") == 0);
  CHECK(status.at("projections").size() == 2);
  const auto& first = status.at("projections").at(0);
  CHECK(first.at("path") == "MEMORY.md");
  CHECK(first.at("agent_id") == "default");
  CHECK(first.at("bytes") == fs::file_size(vault.place().at("vault/MEMORY.md")));
  CHECK(first.at("max_bytes") == 25000);
  CHECK(first.at("max_lines") == 200);
  CHECK(first.at("rows") == 1);
  CHECK(first.at("clipped") == 0);
  CHECK(first.at("published") == true);
  CHECK(status.at("degraded").empty());
  CHECK(status.at("device").get<std::string>().size() == 16);
  CHECK(status.at("pipeline_holder").is_null());
  CHECK(status.at("lease_holder").is_null());
  CHECK(status.at("sizes").at("index") > 0);
  CHECK(vault.run({"status"}).exit_code == 0);
}

TEST_CASE("status counts what was learned by its standing") {
  const MemoryVault vault;
  const auto put = [&](const std::string& name, const std::string& fields) {
    vault.place().write("vault/memory/learnings/" + name,
                        "---\nlearning_kind: fact\n" + fields + "---\n\nTides are told in UTC.\n");
  };
  put("1-a.md", "");
  put("2-b.md", "");
  put("3-c.md", "status: provisional\n");
  put("4-d.md", "status: archived\n");
  put("5-e.md", "status: asleep\n");
  put("copy.md", "learning_id: 1\n");
  vault.index();
  const auto status = vault.json({"status"});
  CHECK(status.at("artifacts") == 15);
  const auto& learnings = status.at("learnings");
  CHECK(learnings.at("active") == 2);
  CHECK(learnings.at("provisional") == 1);
  CHECK(learnings.at("archived") == 1);
  CHECK(learnings.at("revoked") == 0);
  CHECK(learnings.at("superseded") == 0);
  CHECK(learnings.at("invalid") == 1);
  CHECK_THAT(vault.run({"status"}).out,
             Catch::Contains("2 active, 1 provisional, 1 archived, 1 invalid, 1 with the"));
}

TEST_CASE("status sees files that came, went and changed since") {
  const MemoryVault vault;
  vault.index();
  vault.write("default", "new", "2026-03-29T01:00:00.000Z", "newt", "/home/dev/tidewater");
  auto status = vault.json({"status"});
  CHECK(status.at("fresh") == false);
  CHECK(status.at("changes").at("added") == 3);
  CHECK(is_degraded(status, "index-stale"));
  CHECK(vault.run({"status"}).exit_code == 1);
  vault.index();
  CHECK(vault.json({"status"}).at("fresh") == true);
  vault.write("default", "new", "2026-03-29T01:00:00.000Z", "yak", "/home/dev/tidewater");
  CHECK(vault.json({"status"}).at("changes").at("changed") >= 1);
  vault.index();
  CHECK(vault.json({"status"}).at("fresh") == true);
  fs::remove(vault.place().at("vault/memory/2026-03-29T01-00-00.000Z--" +
                              token_of("default", "new") + "--transcript.md"));
  status = vault.json({"status"});
  CHECK(status.at("fresh") == false);
  CHECK(status.at("changes").at("removed") == 1);
}

TEST_CASE("status names invalid files and what is wrong with them") {
  const MemoryVault vault;
  SessionFiles wrong =
      vault.session("default", "wrong", "2026-03-29T01:00:00.000Z", "lemur", "/home/dev/tidewater");
  wrong.summary.fields.set_text("content_sha256", std::string(64, '0'));
  wrong.write(vault.place(), "vault");
  vault.index();
  const auto status = vault.json({"status"});
  CHECK(status.at("invalid") == 1);
  REQUIRE(status.at("invalid_files").size() == 1);
  CHECK(status.at("invalid_files").at(0).at("code") == "checksum-mismatch");
  CHECK(status.at("diagnostics").at("error") == 1);
  CHECK(vault.run({"status"}).exit_code == 1);
}

TEST_CASE("A deleted or damaged index is told, and reading commands say what to do") {
  const MemoryVault vault;
  vault.index();
  fs::remove(vault.place().at("state/index.db"));
  CHECK(is_degraded(vault.json({"status"}), "index-missing"));
  CHECK(vault.json({"status"}).at("fresh") == false);
  CHECK(vault.run({"status"}).exit_code == 1);
  const auto log = vault.run({"log"});
  CHECK(log.exit_code == 4);
  CHECK(contains(log.err, "daybook reindex"));
  vault.place().write("state/index.db", std::string(8192, 'x'));
  CHECK(is_degraded(vault.json({"status"}), "index-damaged"));
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"log"}, {"show", "old"}, {"open", "old"}, {"links", "old"}, {"render", "--stdout"}}) {
    INFO(command.front());
    const auto outcome = vault.run(command);
    CHECK(outcome.exit_code == 5);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, "daybook reindex"));
  }
  vault.index();
  CHECK(vault.run({"status"}).exit_code == 0);
}

TEST_CASE("A vault that cannot be listed is no fresh one") {
  const MemoryVault vault;
  vault.index();
  fs::rename(vault.place().at("vault/memory"), vault.place().at("vault/elsewhere"));
  const auto status = vault.json({"status"});
  CHECK(status.at("fresh") == false);
  CHECK(status.at("sessions") == 5);
  CHECK(is_degraded(status, "vault-unreadable"));
}

TEST_CASE("State inside the vault is refused by every command") {
  const MemoryVault vault;
  for (const auto& command : std::vector<std::vector<std::string>>{{"status"},
                                                                   {"log"},
                                                                   {"show", "x"},
                                                                   {"open", "x"},
                                                                   {"search", "x"},
                                                                   {"links", "x"},
                                                                   {"render"},
                                                                   {"render", "--stdout"}}) {
    INFO(command.front());
    auto program = vault.program(command);
    program.command[4] = vault.place().at("vault/state");
    CHECK(support::run(program).exit_code == 2);
    CHECK_FALSE(fs::exists(vault.place().at("vault/state")));
  }
}

TEST_CASE("render publishes, prints, and says what would be published") {
  const MemoryVault vault;
  CHECK(vault.json({"render"}).at("published").size() == 2);
  CHECK(vault.json({"render"}).at("published").empty());
  const std::string published = vault.place().read("vault/MEMORY.md");
  CHECK(vault.run({"render", "--stdout"}).out == published);
  CHECK(vault.run({"render", "--stdout", "--agent", "other"}).out ==
        vault.place().read("vault/agents/other/MEMORY.md"));
  vault.write("default", "new", "2026-03-29T01:00:00.000Z", "newt", "/home/dev/tidewater");
  const auto stale = vault.run({"render", "--stdout"});
  CHECK(stale.out == published);
  CHECK(contains(stale.err, "older than the files"));
  CHECK(vault.json({"render", "--stdout"}).at("fresh") == false);
  CHECK(vault.place().read("vault/MEMORY.md") == published);
  CHECK(vault.run({"render", "--stdout", "--take-over"}).exit_code == 2);
}

TEST_CASE("render leaves the full text behind, and status says so") {
  const MemoryVault vault;
  vault.run({"render"});
  const auto status = vault.json({"status"});
  CHECK(is_degraded(status, "full-text-behind"));
  CHECK(vault.json({"search", "heron"}).at("fresh") == false);
  vault.index();
  CHECK(vault.json({"status"}).at("degraded").empty());
}

TEST_CASE("A contested MEMORY.md waits for a person, who takes over") {
  const MemoryVault vault;
  vault.index();
  for (const char* text : {"theirs\n", "theirs again\n"}) {
    vault.place().write("vault/MEMORY.md", text);
    vault.run({"render"});
  }
  CHECK(vault.place().read("vault/MEMORY.md") == "theirs again\n");
  CHECK(is_degraded(vault.json({"status"}), "memory-md-contested"));
  const auto refused = vault.run({"render"});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.out, "Not published: MEMORY.md"));
  const auto added = vault.json({"learnings", "add", "The gauge is of copper."});
  const auto forgotten =
      vault.run({"learnings", "forget", added.at("id").dump(), "--reason", "wrong", "--yes"});
  CHECK(forgotten.exit_code == 1);  // it may still stand there
  CHECK(contains(forgotten.out, "Forgot "));
  CHECK(contains(forgotten.err, "daybook render --take-over"));
  const auto removed =
      vault.run({"--agent", "default", "remove", "--session", "key-1", "--reason", "x", "--yes"});
  CHECK(removed.exit_code == 1);
  CHECK(contains(removed.out, "Removed "));
  const auto taken = vault.run({"render", "--take-over"});
  CHECK(taken.exit_code == 0);
  CHECK(contains(taken.out, "Wrote MEMORY.md"));
  CHECK(vault.json({"status"}).at("degraded").empty());
}

TEST_CASE("A clock that was set back waits for a person, too") {
  const MemoryVault vault;
  vault.index();
  auto earlier = vault.program({"--json", "status"});
  earlier.command[6] = "2026-03-20T00:00:00Z";
  CHECK(is_degraded(nlohmann::json::parse(support::run(earlier).out), "clock"));
  auto taking = vault.program({"render", "--take-over"});
  taking.command[6] = "2026-03-20T00:00:00Z";
  CHECK(support::run(taking).exit_code == 0);
  CHECK(nlohmann::json::parse(support::run(earlier).out).at("degraded").empty());
}

TEST_CASE("config shows values and where they come from, and checks the file") {
  const MemoryVault vault;
  CHECK(vault.run({"config", "check"}).exit_code == 0);
  vault.place().write("vault/daybook.yaml", "noise:\n  - '*/x'\nmemory_md:\n  max_lines: 200\n");
  const auto settings = vault.json({"config", "show"}).at("settings");
  const auto origin_of = [&settings](const std::string& name) -> std::string {
    for (const auto& setting : settings) {
      if (setting.at("name") == name) {
        return setting.at("origin");
      }
    }
    return "(no such setting)";
  };
  CHECK(origin_of("workspace") == "--workspace");
  CHECK(origin_of("state_dir") == "--state-dir");
  CHECK(origin_of("noise") == "daybook.yaml");
  CHECK(origin_of("memory_md.max_lines") == "daybook.yaml");
  CHECK(origin_of("memory_md.max_bytes") == "default");
  CHECK(contains(vault.run({"config", "show"}).out, "memory_md.max_lines: 200  (daybook.yaml)"));
  vault.place().write("vault/daybook.yaml",
                      "embeddings:\n  base_url: http://e.example.com/v1\n  model: m\n"
                      "  api_key_env: A_KEY\n");
  const auto doubted = vault.run({"config", "check"});
  CHECK(doubted.exit_code == 0);
  CHECK(contains(doubted.err, "warning: the key in A_KEY is sent to http://e.example.com/v1"));
  CHECK(vault.json({"config", "check"}).at("warnings").size() == 1);
  vault.place().write("vault/daybook.yaml", "noises: []\n");
  for (const char* action : {"check", "show"}) {
    const auto wrong = vault.run({"config", action});
    CHECK(wrong.exit_code == 2);
    CHECK(contains(wrong.err, "daybook.yaml:1"));
  }
  CHECK(vault.run({"status"}).exit_code == 2);
  CHECK(vault.run({"config", "edit"}).exit_code == 2);
  CHECK(vault.run({"config"}).exit_code == 2);
  CHECK_FALSE(fs::exists(vault.place().at("state")));
}

}  // namespace
}  // namespace daybook::test
