// SPDX-License-Identifier: MIT
//
// What is kept of earlier runs, as policy, status and doctor tell it: carried out at once,
// reported, counted, and never at the cost of a note.
#include "cli/memory_vault.hpp"
#include "daybook/store/database.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace daybook::test {
namespace {

/// Three runs: of the 10th and the 20th of March, and of the 28th.
class RunVault : public MemoryVault {
 public:
  RunVault() {
    write_run("run-1", "2026-03-10T10:00:00.000Z");
    write_run("run-2", "2026-03-20T10:00:00.000Z");
    write_run("run-3", "2026-03-28T10:00:00.000Z");
    index();
  }

  void write_run(const std::string& key, const std::string& time) const {
    auto files = session("default", key, time, "newt of " + key, "/home/dev/tidewater");
    files.summary.fields.set_text("run_status", "completed");
    files.summary.fields.set_text("run_summary", "Request: watch the newt of " + key + ".");
    files.write(place(), "vault");
  }

  nlohmann::json run_memory() const { return json({"status"}).at("run_memory"); }
  nlohmann::json finding(const std::string& check) const {
    const auto report = json({"doctor"});
    for (const auto& finding : report.at("findings")) {
      if (finding.at("check") == check) {
        return finding;
      }
    }
    return {};
  }
  std::uint64_t metric(const char* name) const {
    return run_memory().at("metrics").at(name).get<std::uint64_t>();
  }
};

std::string retention(int days) {
  return "retention_ms=" + std::to_string(days * 24LL * 60 * 60 * 1000);
}

TEST_CASE("A changed policy is carried out at once, reported, and deletes no note") {
  const RunVault vault;
  CHECK(vault.json({"policy", "show"}).at("maintenance").at("source") == "startup");
  CHECK(vault.metric("stored_total") == 3);
  const auto set = vault.json({"policy", "set", retention(5)});
  CHECK(set.at("maintenance").at("source") == "policy");
  CHECK(set.at("maintenance").at("pruned_ttl_count") == 2);
  const auto& one = set.at("maintenance").at("diagnostics").at(0);
  CHECK(one.at("action") == "forget_run");
  CHECK(one.at("reason") == "ttl_expired");
  CHECK(one.at("session") == token_of("default", "run-1"));
  CHECK_THAT(one.at("path").get<std::string>(),
             Catch::StartsWith("memory/") && Catch::EndsWith("--summary.md"));
  CHECK(vault.run({"context", "--session", "run-1"}).out.find("Recovered") == std::string::npos);
  CHECK(contains(vault.run({"context", "--session", "run-3"}).out, "newt of run-3"));
  CHECK(vault.json({"policy", "show"}).at("maintenance") == set.at("maintenance"));

  const auto memory = vault.run_memory();
  CHECK(memory.at("indexed_record_count") == 3);
  CHECK(memory.at("indexed_session_count") == 3);
  CHECK(memory.at("stale_indexed_record_count") == 2);
  CHECK(memory.at("metrics").at("pruned_ttl_total") == 2);
  CHECK(memory.at("policy").at("retention_ms") == 5LL * 24 * 60 * 60 * 1000);
  CHECK(vault.finding("run-memory").at("name") == "runs-pruned");
  CHECK(vault.finding("run-memory").at("severity") == "info");

  // Nothing is lost: a wider policy tells them again.
  const auto wider = vault.run({"policy", "set", retention(30)});
  CHECK(wider.exit_code == 0);
  CHECK(contains(vault.run({"context", "--session", "run-1"}).out, "newt of run-1"));
  CHECK(vault.run_memory().at("stale_indexed_record_count") == 0);
  CHECK(contains(vault.run({"policy", "set", "enabled=false"}).err, "3 runs will not be told"));
  CHECK(contains(vault.run({"status"}).out, "run memory off"));
}

TEST_CASE("A policy that cannot be carried out is not set, and doctor says so until a pass") {
  const RunVault vault;
  vault.place().write("state/index.db", std::string(8192, 'x'));
  const auto refused = vault.run({"policy", "set", retention(5)});
  CHECK(refused.exit_code == 5);
  CHECK(contains(refused.err, "the policy stays as it was"));
  const auto shown = vault.json({"policy", "show"});
  CHECK(shown.at("run_memory").at("retention_ms") == 2'592'000'000);
  CHECK(shown.at("maintenance").at("scan_error_count") == 1);
  CHECK(shown.at("maintenance").at("diagnostics").at(0).at("reason") == "scan_failed");
  CHECK(vault.metric("pruned_ttl_total") == 0);
  CHECK(vault.finding("run-memory").at("name") == "run-maintenance-failed");
  CHECK(vault.finding("run-memory").at("severity") == "warning");
  CHECK(contains(vault.run({"status"}).out, "its last maintenance failed"));
  vault.index();
  CHECK(vault.finding("run-memory").at("name") == "run-memory-ok");
  const auto mended = vault.json({"policy", "show"}).at("maintenance");
  CHECK(mended.at("index_rebuilt") == true);
  CHECK(mended.at("scan_error_count") == 0);
}

TEST_CASE("A wrong wish is the asker's fault, and fails no maintenance") {
  const RunVault vault;
  const auto before = vault.json({"policy", "show"}).at("maintenance");
  vault.place().write("state/index.db", std::string(8192, 'x'));
  CHECK(vault.run({"policy", "set", "max_prompt_entries=33"}).exit_code == 2);
  CHECK(vault.run({"policy", "set", "enabled=perhaps"}).exit_code == 2);
  CHECK(vault.json({"policy", "show"}).at("maintenance") == before);
}

TEST_CASE("Without an index a policy is set, nothing is let go, and nothing is reported") {
  const RunVault vault;
  const auto before = vault.json({"policy", "show"}).at("maintenance");
  REQUIRE(::unlink(vault.place().at("state/index.db").c_str()) == 0);
  const auto set = vault.json({"policy", "set", retention(5)});
  CHECK(set.at("run_memory").at("retention_ms") == 5LL * 24 * 60 * 60 * 1000);
  CHECK(set.at("maintenance").is_null());
  CHECK(vault.json({"policy", "show"}).at("maintenance") == before);
  CHECK(vault.metric("pruned_ttl_total") == 0);
  vault.index();
  CHECK(vault.json({"policy", "show"}).at("maintenance").at("pruned_ttl_count") == 2);
}

TEST_CASE("A context and the policy are told on a disk that is read-only") {
  const RunVault vault;
  REQUIRE(vault.run({"policy", "set", "max_prompt_entries=2"}).exit_code == 0);
  const auto on_read_only_disk = [&vault](const std::vector<std::string>& arguments) {
    auto program = vault.program(arguments);
    const std::string place = vault.place().path().string();
    std::vector<std::string> command{
        "/usr/bin/unshare",
        "-rm",
        "/bin/sh",
        "-c",
        "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"",
        place};
    command.insert(command.end(), program.command.begin(), program.command.end());
    program.command = std::move(command);
    return support::run(program);
  };
  const auto shown = on_read_only_disk({"policy", "show"});
  if (contains(shown.err, "unshare:") || contains(shown.err, "mount:")) {
    WARN("no disk can be mounted here: " << shown.err);
    return;
  }
  CHECK(shown.exit_code == 0);
  CHECK(contains(shown.out, "max_prompt_entries=2"));
  const auto told = on_read_only_disk({"context", "--session", "run-3"});
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, "newt of run-3"));
  CHECK(contains(told.err, "not counted"));
  CHECK(on_read_only_disk({"context", "--preview"}).err.empty());
}

TEST_CASE("A damaged state.db is told with what helps") {
  const RunVault vault;
  vault.place().write("state/state.db", std::string(8192, 'x'));
  const auto outcome = vault.run({"context"});
  CHECK(outcome.exit_code == 5);
  CHECK(contains(outcome.err, "daybook reindex"));
}

TEST_CASE("A whole pass keeps the report up to date, and one that cannot look says so") {
  const RunVault vault;
  const auto gone =
      vault.session("default", "run-2", "2026-03-20T10:00:00.000Z", "newt", "/home/dev/tidewater");
  const std::string summary =
      vault.place().at("vault/memory/" + gone.file_name(lineage::Kind::summary));
  REQUIRE(::unlink(summary.c_str()) == 0);
  vault.index();
  auto report = vault.run_memory().at("maintenance");
  CHECK(report.at("source") == "startup");
  CHECK(report.at("pruned_orphan_count") == 1);
  CHECK(report.at("index_rebuilt") == false);
  CHECK(vault.metric("pruned_orphan_total") == 1);

  const std::string memory = vault.place().at("vault/memory");
  const std::string away = vault.place().at("vault/elsewhere");
  REQUIRE(::rename(memory.c_str(), away.c_str()) == 0);
  CHECK(vault.run({"reindex"}).exit_code != 0);
  REQUIRE(::rename(away.c_str(), memory.c_str()) == 0);
  report = vault.run_memory().at("maintenance");
  CHECK(report.at("scan_error_count") == 1);
  CHECK(vault.finding("run-memory").at("name") == "run-maintenance-failed");
  vault.index();
  CHECK(vault.run_memory().at("maintenance").at("scan_error_count") == 0);
  CHECK(vault.metric("stored_total") == 3);
}

TEST_CASE("A context counts what it tells, and a preview counts nothing") {
  const RunVault vault;
  const auto before = vault.json({"status"});
  vault.run({"context", "--session", "run-1", "--query", "newt", "--preview"});
  vault.run({"context", "--session", "run-1", "--budget-tokens", "0", "--preview"});
  const auto after = vault.json({"status"});
  CHECK(after.at("run_memory") == before.at("run_memory"));
  CHECK(after.at("session_memory") == before.at("session_memory"));
  CHECK(after.at("telemetry") == before.at("telemetry"));

  vault.run({"context", "--session", "run-1"});
  CHECK(vault.metric("injected_total") == 1);
  CHECK(vault.metric("ranked_candidates_total") == 1);
  vault.run({"context", "--session", "run-1", "--budget-tokens", "0"});
  CHECK(vault.metric("injected_total") == 1);
  CHECK(vault.metric("prompt_limit_omitted_total") == 1);
  CHECK(after.at("session_memory").at("metrics").at("prompt_limit_omitted_total") == 0);
}

TEST_CASE("A context is told although it cannot be counted") {
  const RunVault vault;
  auto writer = store::Database::open(vault.place().at("state/state.db"));
  REQUIRE(writer);
  REQUIRE(writer->execute("BEGIN IMMEDIATE"));
  const auto told = vault.run({"context", "--session", "run-3"});
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, "newt of run-3"));
  CHECK(contains(told.err, "this context is not counted"));
}

}  // namespace
}  // namespace daybook::test
