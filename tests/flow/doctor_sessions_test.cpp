// SPDX-License-Identifier: MIT
//
// What the doctor says of sessions that a harness will delete.
#include "daybook/harness/session_list.hpp"
#include "daybook/service/session_import.hpp"
#include "flow/patient.hpp"

#include <catch2/catch.hpp>

#include <chrono>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProject = "home/.claude/projects/-home-nina-boats/";

/// Not even a line of JSON: nobody may look inside.
void keep_session(const Patient& patient, const std::string& id, int days_old) {
  const std::string path = kProject + id + ".jsonl";
  patient.vault.place().write(path, "no JSON");
  fs::last_write_time(patient.vault.place().at(path),
                      fs::file_time_type::clock::now() - std::chrono::hours(24 * days_old));
}

void keep_receipt(Patient& patient, const std::string& id) {
  const std::string home = fs::canonical(patient.vault.place().at("home/.claude")).string();
  auto state = patient.vault.open_state();
  const auto files = harness::list_sessions(patient.disk, harness::Format::claude_code, home);
  REQUIRE(files);
  for (const auto& file : *files) {
    if (file.name == id) {
      const auto token = lineage::SessionToken::derive("default", id);
      REQUIRE(state.imported().put(
          service::import_source(harness::Format::claude_code, "default", home, file),
          {file.size, file.mtime_ns, token, {}}));
    }
  }
}

}  // namespace

TEST_CASE("without a folder of the harness there is nothing to say of sessions") {
  Patient patient;
  patient.settle();
  const auto report = patient.examine();
  REQUIRE(find(report, "sessions-ok") != nullptr);
  CHECK(report.ok());
}

TEST_CASE("sessions that the harness deletes soon and that are not in the vault are a warning") {
  Patient patient;
  patient.settle();
  keep_session(patient, "young", 1);
  keep_session(patient, "old", 28);
  keep_session(patient, "older", 40);
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"sessions-expiring"});
  const auto* finding = find(report, "sessions-expiring");
  CHECK(finding->message ==
        "3 session files of Claude Code, of 3, are not in the vault; Claude Code deletes 2 of them "
        "within 7 days, the first today");
  CHECK(finding->hint.find("daybook import claude-code") != std::string::npos);
  CHECK(finding->paths.size() == 2);
}

TEST_CASE("how long the harness keeps sessions is its own setting") {
  Patient patient;
  patient.settle();
  keep_session(patient, "old", 28);
  patient.vault.place().write("home/.claude/settings.json", R"({"cleanupPeriodDays": 100})");
  const auto report = patient.examine();
  CHECK(report.ok());
  const auto* finding = find(report, "sessions-not-imported");
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == service::FindingSeverity::info);
  INFO(finding->message);
  CHECK((finding->message.find("the first in 71 days") != std::string::npos ||
         finding->message.find("the first in 72 days") != std::string::npos));
}

TEST_CASE("a session counts as being in the vault by its receipt, or else by its token") {
  Patient patient;
  patient.settle();
  keep_session(patient, "read", 28);
  keep_receipt(patient, "read");
  keep_session(patient, "hooked", 28);
  support::SessionFiles hooked("default", "", "2026-03-28T22:34:06.792Z", "hooked");
  patient.vault.add(hooked);
  patient.settle();
  const auto report = patient.examine();
  REQUIRE(find(report, "sessions-ok") != nullptr);
  CHECK(find(report, "sessions-ok")->message ==
        "all 2 session files of Claude Code are in the vault");

  // Grown since it was read: the rest of it is not there.
  patient.vault.place().write(std::string(kProject) + "read.jsonl", "no JSON, and more of it");
  CHECK(find(patient.examine(), "sessions-not-imported") != nullptr);
}

}  // namespace daybook::test
