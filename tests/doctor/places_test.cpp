// SPDX-License-Identifier: MIT
//
// What the doctor says of settings, workspace and state folder, and how it makes the latter private
// again.
#include "doctor/patient.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const std::string& path) {
  struct stat raw {};
  REQUIRE(::lstat(path.c_str(), &raw) == 0);
  return raw.st_mode & 07777U;
}

void set_mode(const std::string& path, mode_t mode) { REQUIRE(::chmod(path.c_str(), mode) == 0); }

}  // namespace

TEST_CASE("wrong settings are a finding with their line, and the rest is still looked at") {
  Patient patient;
  patient.settle();
  patient.vault.write("daybook.yaml", "memory_md:\n  max_line: 3\n");
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"configuration-wrong"});
  const auto* wrong = find(report, "configuration-wrong");
  CHECK(wrong->message.find("daybook.yaml:2") != std::string::npos);
  CHECK(wrong->remedy == doctor::Remedy::none);
  CHECK(find(report, "index-ok") != nullptr);
}

TEST_CASE("a key that goes to another machine in plain text is a finding") {
  Patient patient;
  patient.vault.write("daybook.yaml",
                      "model:\n  base_url: http://model.example.com/v1\n  model: m\n"
                      "  api_key_env: A_KEY\n");
  patient.settle();
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"key-in-plain-text"});
}

TEST_CASE("a workspace that was never indexed has findings, and no problem") {
  Patient patient;
  patient.request.state_path = patient.vault.place().at("nowhere");
  const auto report = patient.examine();
  CHECK(report.ok());
  CHECK_FALSE(report.indexed);
  REQUIRE(find(report, "never-indexed") != nullptr);
  CHECK(find(report, "never-indexed")->severity == doctor::FindingSeverity::info);
  CHECK_FALSE(fs::exists(patient.request.state_path));
  const auto treatment = patient.treat();
  CHECK(fixed(treatment.report) == Names{"never-indexed"});
  CHECK(treatment.report.ok());
  CHECK(patient.vault.exists("MEMORY.md"));
}

TEST_CASE("a vault that is away is told, and what is known of it stays") {
  Patient patient;
  patient.settle();
  fs::rename(patient.vault.at("memory"), patient.vault.at("away"));
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"vault-unreadable"});
  fs::rename(patient.vault.at("away"), patient.vault.at("memory"));
  CHECK(patient.examine().ok());
}

TEST_CASE("modes of the state folder are told before anything mends them, and set by the cure") {
  Patient patient;
  patient.settle();
  const std::string& state = patient.request.state_path;
  const std::string month = (*fs::directory_iterator(state + "/text")).path().string();
  set_mode(state, 0755);
  set_mode(state + "/text", 0777);
  set_mode(state + "/state.db", 0644);
  set_mode(month, 0666);
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"state-folder-not-private"});
  CHECK(find(report, "state-folder-not-private")->paths.size() == 4);
  CHECK(find(report, "state-folder-not-private")->message.starts_with("4 entries"));
  CHECK(mode_of(state) == 0755);  // looking has mended nothing
  CHECK(doctor::planned_deeds(report).size() == 1);
  const auto treatment = patient.treat();
  CHECK_FALSE(treatment.problem);
  CHECK(fixed(treatment.report) == Names{"state-folder-not-private"});
  CHECK(treatment.report.ok());
  CHECK(mode_of(state) == 0700);
  CHECK(mode_of(state + "/text") == 0700);
  CHECK(mode_of(state + "/state.db") == 0600);
  CHECK(mode_of(month) == 0600);
  CHECK(problems(patient.examine()).empty());
}

TEST_CASE("a link in the state folder is neither followed nor changed") {
  Patient patient;
  patient.settle();
  patient.vault.place().write("elsewhere/file", "x");
  set_mode(patient.vault.place().at("elsewhere"), 0755);
  set_mode(patient.vault.place().at("elsewhere/file"), 0644);
  patient.vault.place().make_link("state/link", patient.vault.place().at("elsewhere"));
  set_mode(patient.request.state_path, 0750);
  CHECK(patient.treat().report.ok());
  CHECK(mode_of(patient.vault.place().at("elsewhere")) == 0755);
  CHECK(mode_of(patient.vault.place().at("elsewhere/file")) == 0644);
}

TEST_CASE("a state folder that is a link, another user's or another workspace's is refused") {
  Patient patient;
  patient.settle();
  const std::string real = patient.request.state_path;
  patient.vault.place().make_link("link", real);
  patient.request.state_path = patient.vault.place().at("link");
  CHECK(problems(patient.examine()) == Names{"state-folder-refused"});
  patient.request.state_path = real;
  patient.request.system.user += 1;
  auto report = patient.examine();
  CHECK(problems(report) == Names{"state-folder-of-another-user"});
  CHECK(find(report, "workspace-of-another-user") != nullptr);
  patient.request.system.user -= 1;
  patient.vault.place().make_folder("second/memory");
  patient.request.workspace = fs::canonical(patient.vault.place().at("second")).string();
  report = patient.examine();
  CHECK(problems(report) == Names{"state-folder-refused"});
  CHECK(find(report, "state-folder-refused")->message.find("belongs to the workspace") !=
        std::string::npos);
}

TEST_CASE("a folder that is no state of ours is neither judged nor changed") {
  Patient patient;
  patient.vault.place().write("documents/letter.db.new", "dear");
  patient.vault.place().write("documents/.daybook-abcdefghijklmnop.tmp", "x");
  set_mode(patient.vault.place().at("documents"), 0755);
  patient.request.state_path = patient.vault.place().at("documents");
  const auto before = tree_of(patient.vault.place().at("documents"));
  CHECK(problems(patient.examine()) == Names{"state-folder-refused"});
  CHECK(patient.treat().deeds.empty());
  CHECK(tree_of(patient.vault.place().at("documents")) == before);
  CHECK(mode_of(patient.vault.place().at("documents")) == 0755);
}

TEST_CASE("a damaged record of the state folder is told, not touched, and made anew by the cure") {
  Patient patient;
  patient.settle();
  patient.vault.place().write("state/workspace.json", "{\"workspace\":");
  set_mode(patient.vault.place().at("state/workspace.json"), 0600);
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"workspace-record-damaged"});
  CHECK(patient.vault.place().read("state/workspace.json") == "{\"workspace\":");
  const auto treatment = patient.treat();
  CHECK_FALSE(treatment.problem);
  CHECK(treatment.report.ok());
  CHECK(fixed(treatment.report) == Names{"workspace-record-damaged"});
}

}  // namespace daybook::test
