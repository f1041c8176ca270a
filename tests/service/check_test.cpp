// SPDX-License-Identifier: MIT
//
// How check behaves as a whole. What it finds in which vault is the fixtures' business.
#include "daybook/service/check.hpp"

#include "daybook/base/disk.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;
using daybook::ErrorKind;
using daybook::lineage::Code;
using daybook::service::CheckReport;
using daybook::service::CheckRequest;
using daybook::service::WorkProgress;
using daybook::support::TempFolder;

fs::path fixture(const std::string& name) {
  return fs::path(DAYBOOK_SOURCE_DIR) / "fixtures" / name / "vault";
}

daybook::Result<CheckReport> run(const CheckRequest& request) {
  WorkProgress progress;
  return daybook::service::check(daybook::base::real_disk(), request, progress);
}

std::multiset<std::string> findings(const CheckReport& report) {
  std::multiset<std::string> all;
  for (const auto& finding : report.findings()) {
    all.insert(report.path(finding) + ":" + std::to_string(finding.diagnostic.line) + " " +
               std::string(daybook::lineage::info(finding.diagnostic.code).name));
  }
  return all;
}

/// All fixture vaults' memory/ folders side by side in one workspace.
void gather_fixtures(const TempFolder& folder) {
  for (const auto& entry : fs::directory_iterator(fs::path(DAYBOOK_SOURCE_DIR) / "fixtures")) {
    if (fs::is_directory(entry.path() / "vault")) {
      fs::create_directories(folder.at("memory"));
      fs::copy(entry.path() / "vault" / "memory",
               folder.at("memory/" + entry.path().filename().string()),
               fs::copy_options::recursive);
    }
  }
}

}  // namespace

TEST_CASE("The answer does not depend on the number of threads") {
  const TempFolder folder;
  gather_fixtures(folder);
  const auto one = run({folder.path().string(), {}, {}, 1});
  const auto many = run({folder.path().string(), {}, {}, 8});
  REQUIRE(one.ok());
  REQUIRE(many.ok());
  CHECK(one->files == many->files);
  CHECK(one->files > 400);
  REQUIRE(one->findings().size() == many->findings().size());
  for (std::size_t i = 0; i < one->findings().size(); ++i) {
    const auto& left = one->findings()[i];
    const auto& right = many->findings()[i];
    CHECK(one->path(left) == many->path(right));
    CHECK(left.diagnostic.line == right.diagnostic.line);
    CHECK(left.diagnostic.sentence() == right.diagnostic.sentence());
  }
}

TEST_CASE("Findings come in the order of path and line") {
  const TempFolder folder;
  gather_fixtures(folder);
  const auto report = run({folder.path().string(), {}, {}, 0});
  REQUIRE(report.ok());
  for (std::size_t i = 1; i < report->findings().size(); ++i) {
    const auto& before = report->findings()[i - 1];
    const auto& after = report->findings()[i];
    const auto left = std::make_pair(report->path(before), before.diagnostic.line);
    const auto right = std::make_pair(report->path(after), after.diagnostic.line);
    CHECK(left <= right);
  }
}

TEST_CASE("One file is judged as it is within the whole vault") {
  for (const char* name : {"demo-week",
                           "lineage-artifact-unmentioned",
                           "duplicate-artifact",
                           "removed-content-renamed",
                           "immutable-changed-frontmatter"}) {
    const std::string workspace = fixture(name).string();
    const auto whole = run({workspace, {}, {}, 0});
    REQUIRE(whole.ok());
    REQUIRE_FALSE(whole->findings().empty());
    const std::string path = whole->path(whole->findings().front());
    const auto part = run({workspace, {path}, {}, 0});
    REQUIRE(part.ok());
    INFO(name);
    CHECK(part->files == 1);
    std::multiset<std::string> expected;
    for (const std::string& finding : findings(*whole)) {
      if (finding.starts_with(path + ":")) {
        expected.insert(finding);
      }
    }
    CHECK(findings(*part) == expected);
  }
}

TEST_CASE("A folder stands for what is in it, and memory for everything") {
  const TempFolder folder;
  gather_fixtures(folder);
  const std::string workspace = folder.path().string();
  const auto whole = run({workspace, {}, {}, 0});
  const auto same = run({workspace, {"memory"}, {}, 0});
  REQUIRE(same.ok());
  CHECK(findings(*same) == findings(*whole));
  const auto part = run({workspace, {"memory/hash-scope"}, {}, 0});
  REQUIRE(part.ok());
  for (const std::string& finding : findings(*part)) {
    CHECK(finding.starts_with("memory/hash-scope/"));
  }
  CHECK(findings(*part).size() >= 1);
}

TEST_CASE("A path that is no note is refused") {
  const auto report = run({fixture("demo-week").string(), {"memory/absent.md"}, {}, 0});
  REQUIRE_FALSE(report.ok());
  CHECK(report.error().kind == ErrorKind::usage);
  CHECK(report.error().path == "memory/absent.md");
}

TEST_CASE("With an agent only its files are told, and the default agent has the ownerless ones") {
  const TempFolder folder;
  gather_fixtures(folder);
  const std::string workspace = folder.path().string();
  const auto whole = run({workspace, {}, {}, 0});
  const auto alice = run({workspace, {}, "alice", 0});
  const auto mine = run({workspace, {}, "default", 0});
  REQUIRE(alice.ok());
  REQUIRE(mine.ok());
  CHECK(alice->files > 0);
  CHECK(alice->files + mine->files <= whole->files);
  for (const std::string& finding : findings(*alice)) {
    CHECK(findings(*mine).count(finding) == 0);
  }
}

TEST_CASE("Without a workspace or memory/ nothing is pretended") {
  const TempFolder folder;
  CHECK(run({folder.at("absent"), {}, {}, 0}).error().kind == ErrorKind::no_workspace);
  CHECK(run({folder.path().string(), {}, {}, 0}).error().kind == ErrorKind::no_workspace);
  folder.write("memory", "a file");
  CHECK(run({folder.path().string(), {}, {}, 0}).error().kind == ErrorKind::no_workspace);
}

TEST_CASE("An empty memory/ is all right") {
  const TempFolder folder;
  folder.make_folder("memory");
  const auto report = run({folder.path().string(), {}, {}, 0});
  REQUIRE(report.ok());
  CHECK(report->files == 0);
  CHECK(report->findings().empty());
}

TEST_CASE("A cancelled check stops early") {
  const TempFolder folder;
  gather_fixtures(folder);
  WorkProgress progress;
  progress.cancelled = true;
  const auto report = daybook::service::check(
      daybook::base::real_disk(), {folder.path().string(), {}, {}, 2}, progress);
  REQUIRE(report.ok());
  CHECK(progress.files_done == 0);
  CHECK(progress.files_total > 400);
}

TEST_CASE("Progress ends at the number of files") {
  WorkProgress progress;
  const auto report = daybook::service::check(
      daybook::base::real_disk(), {fixture("demo-week").string(), {}, {}, 2}, progress);
  REQUIRE(report.ok());
  CHECK(progress.files_done == progress.files_total);
  CHECK(progress.files_total == report->files);
  CHECK(progress.bytes_done == report->bytes);
}

TEST_CASE("A note with thousands of wrong links says most of them in one sentence") {
  const TempFolder folder;
  fs::copy(fixture("signet-form"), folder.path(), fs::copy_options::recursive);
  std::string summary;
  for (const auto& entry : fs::directory_iterator(folder.at("memory"))) {
    if (entry.path().string().ends_with("--summary.md")) {
      summary = "memory/" + entry.path().filename().string();
    }
  }
  std::string text = folder.read(summary);
  for (int i = 0; i < 5000; ++i) {
    text += "[[memory/absent-" + std::to_string(i) + ".md]]\n";
  }
  folder.write(summary, text);
  const auto report = run({folder.path().string(), {}, {}, 0});
  REQUIRE(report.ok());
  std::size_t missing = 0;
  bool told = false;
  for (const auto& finding : report->findings()) {
    missing += finding.diagnostic.code == Code::link_missing_target ? 1 : 0;
    told = told || finding.diagnostic.sentence().starts_with("4900 further links");
  }
  CHECK(missing == 101);
  CHECK(told);
}
