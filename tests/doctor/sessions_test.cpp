// SPDX-License-Identifier: MIT
//
// What the doctor says of sessions that a harness will delete.
#include "daybook/harness/session_list.hpp"
#include "daybook/service/session_import.hpp"
#include "doctor/patient.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCaptured = "2026-03-28T22:34:06.792Z";
constexpr const char* kProject = "home/.claude/projects/-home-nina-boats/";

/// Not even a line of JSON: nobody may look inside.
void keep_session(const Patient& patient, const std::string& id, int days_old) {
  const std::string path = kProject + id + ".jsonl";
  patient.vault.place().write(path, "no JSON");
  fs::last_write_time(patient.vault.place().at(path),
                      fs::file_time_type::clock::now() - std::chrono::hours(24 * days_old));
}

/// As if the harness had not touched the file since the hook was called.
void written_at_capture(const Patient& patient, const std::string& id) {
  const timespec time{1'774'737'246, 0};
  const timespec times[2] = {time, time};
  REQUIRE(::utimensat(
              AT_FDCWD, patient.vault.place().at(kProject + id + ".jsonl").c_str(), times, 0) == 0);
}

void keep_receipt(Patient& patient,
                  const std::string& id,
                  state::ImportOutcome outcome = state::ImportOutcome::captured) {
  const std::string home = fs::canonical(patient.vault.place().at("home/.claude")).string();
  auto state = patient.vault.open_state();
  const auto listing = harness::list_sessions(patient.disk, harness::Format::claude_code, home);
  REQUIRE(listing);
  for (const auto& file : listing->files) {
    if (file.name == id) {
      const auto token = lineage::SessionToken::derive("default", id);
      REQUIRE(state.imported().put(
          service::import_source(harness::Format::claude_code, "default", home, file),
          {file.size, file.mtime_ns, token, outcome}));
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
  CHECK(finding->severity == doctor::FindingSeverity::info);
  INFO(finding->message);
  CHECK((finding->message.find("the first in 71 days") != std::string::npos ||
         finding->message.find("the first in 72 days") != std::string::npos));
}

TEST_CASE("a session counts as being in the vault by its receipt, or else by its token") {
  Patient patient;
  keep_session(patient, "read", 28);
  keep_receipt(patient, "read");
  patient.vault.add(support::SessionFiles("default", "", kCaptured, "read"));
  keep_session(patient, "said-nothing", 28);
  keep_receipt(patient, "said-nothing", state::ImportOutcome::empty);
  keep_session(patient, "hooked", 28);
  written_at_capture(patient, "hooked");
  patient.vault.add(support::SessionFiles("default", "", kCaptured, "hooked"));
  patient.settle();
  const auto report = patient.examine();
  REQUIRE(find(report, "sessions-ok") != nullptr);
  CHECK(find(report, "sessions-ok")->message ==
        "all 3 session files of Claude Code are in the vault");

  // Grown since it was read: the rest of it is not there.
  patient.vault.place().write(std::string(kProject) + "read.jsonl", "no JSON, and more of it");
  CHECK(find(patient.examine(), "sessions-not-imported") != nullptr);
}

TEST_CASE("a session that a hook has captured and that went on afterwards is not in the vault") {
  Patient patient;
  keep_session(patient, "hooked", 1);
  patient.vault.add(support::SessionFiles("default", "", kCaptured, "hooked"));
  patient.settle();
  CHECK(find(patient.examine(), "sessions-ok") == nullptr);
  written_at_capture(patient, "hooked");
  REQUIRE(find(patient.examine(), "sessions-ok") != nullptr);
  CHECK(find(patient.examine(), "sessions-ok")->message ==
        "the one session file of Claude Code is in the vault");
}

TEST_CASE("a receipt counts for nothing when the vault's files are gone") {
  Patient patient;
  patient.settle();
  keep_session(patient, "read", 28);
  keep_receipt(patient, "read");
  CHECK(find(patient.examine(), "sessions-expiring") != nullptr);
}

TEST_CASE("sessions of another agent than the default one count, unless one was chosen") {
  Patient patient;
  keep_session(patient, "hooked", 28);
  written_at_capture(patient, "hooked");
  patient.vault.add(support::SessionFiles("scout", "", kCaptured, "hooked"));
  patient.settle();
  CHECK(find(patient.examine(), "sessions-ok") != nullptr);
  patient.request.agent = "scout";
  CHECK(find(patient.examine(), "sessions-ok") != nullptr);
  patient.request.agent = "default";
  CHECK(find(patient.examine(), "sessions-ok") == nullptr);
}

TEST_CASE("a history that is kept elsewhere and linked to is looked at") {
  Patient patient;
  patient.settle();
  keep_session(patient, "old", 28);
  const auto& place = patient.vault.place();
  fs::rename(place.at("home/.claude/projects"), place.at("elsewhere"));
  SECTION("the folder of all projects") {
    place.make_link("home/.claude/projects", place.at("elsewhere"));
  }
  SECTION("the folder of one project") {
    place.make_folder("home/.claude/projects");
    place.make_link("home/.claude/projects/-home-nina-boats",
                    place.at("elsewhere/-home-nina-boats"));
  }
  CHECK(find(patient.examine(), "sessions-expiring") != nullptr);
}

TEST_CASE("agents that the harness runs for itself are nobody's sessions") {
  Patient patient;
  patient.settle();
  keep_session(patient, "gate/subagents/agent-acompact-1", 28);
  keep_session(patient, "gate/subagents/agent-aprompt_suggestion-2", 28);
  CHECK(find(patient.examine(), "sessions-ok") != nullptr);
}

}  // namespace daybook::test
