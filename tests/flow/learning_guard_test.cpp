// SPDX-License-Identifier: MIT
//
// Notes that were written by hand and say what must not be shown: found when they are read, also
// when it is the list of what must not be shown that has changed.
#include "daybook/index/reader.hpp"
#include "daybook/service/check.hpp"
#include "support/indexed_vault.hpp"
#include "support/learning_note.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace daybook {
namespace {

using Codes = std::vector<std::string>;
using Catch::Contains;
using support::IndexedVault;
using support::LearningNote;

constexpr const char* kConfig = "capture:\n  literals_file: never.txt\n";

void write(const IndexedVault& vault, const LearningNote& note) {
  std::filesystem::create_directories(vault.at("memory/learnings"));
  vault.write(note.path(), note.text());
}

LearningNote note(std::uint64_t id, const std::string& content) {
  return {id, content, {{"learning_kind", "fact"}}};
}

/// Errors that `check` finds.
std::size_t errors(const IndexedVault& vault) {
  service::WorkProgress progress;
  const auto report = service::check(base::real_disk(), {vault.workspace(), {}, {}, 1}, progress);
  REQUIRE(report);
  return report->findings().size();
}

}  // namespace

TEST_CASE("learnings: a literal in a note made by hand is a finding, in each of its fields") {
  IndexedVault vault;
  vault.write("daybook.yaml", kConfig);
  vault.write("never.txt", "harbour-master-code\n");
  write(vault, note(1, "Say harbour-\u200bmaster-code."));
  LearningNote scoped = note(2, "Scoped.");
  scoped.fields["scope"] = "\"project:/harbour-master-code\"";
  write(vault, scoped);
  LearningNote described = note(3, "Described.");
  described.fields["metadata"] = R"('{"p\u0061ssword":"hunter2"}')";
  write(vault, described);
  write(vault, note(4, "\u200b\u2060"));
  write(vault, note(5, "Tides are told in UTC."));
  vault.reindex();
  for (const char* path : {"1", "2", "3"}) {
    CAPTURE(path);
    CHECK(vault.codes(std::string("memory/learnings/") + path + "-note.md") ==
          Codes{"learning-secret"});
  }
  CHECK(vault.codes("memory/learnings/4-note.md") == Codes{"missing-field"});
  CHECK(errors(vault) == 4);
  CHECK_THAT(vault.memory_md(), Contains("- [general] Tides") && !Contains("harbour"));
}

TEST_CASE("learnings: a change of the literals reaches notes that have not changed") {
  IndexedVault vault;
  vault.write("daybook.yaml", kConfig);
  vault.write("never.txt", "another-code\n");
  write(vault, note(1, "Say harbour-master-code."));
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Contains("harbour-master-code"));

  SECTION("by a whole pass") {
    vault.write("never.txt", "harbour-master-code\n");
    CHECK(vault.reindex().changed == 1);
    CHECK_THAT(vault.memory_md(), !Contains("harbour-master-code"));
    CHECK(vault.state_files_with("harbour-master-code\n").empty());
    vault.write("never.txt", "another-code\n");
    vault.reindex();
    CHECK_THAT(vault.memory_md(), Contains("harbour-master-code"));
    CHECK(vault.reindex().changed == 0);
  }
  SECTION("by a pass that is told of something else") {
    vault.write("never.txt", "harbour-master-code\n");
    write(vault, note(2, "Tides are told in UTC."));
    CHECK_FALSE(vault.follow({"memory/learnings/2-note.md"}).narrow);
    CHECK_THAT(vault.memory_md(), !Contains("harbour-master-code"));
    write(vault, note(3, "Locks are told in feet."));
    CHECK(vault.follow({"memory/learnings/3-note.md"}).narrow);
  }
  const std::string rows = vault.rows();
  vault.reindex(service::Extent::everything);
  CHECK(rows == vault.rows());
}

TEST_CASE("learnings: while the literals cannot be read nothing is shown, and all is said") {
  IndexedVault vault;
  vault.write("daybook.yaml", kConfig);
  vault.write("never.txt", "harbour-master-code\n");
  write(vault, note(1, "Tides are told in UTC."));
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Contains("Tides"));
  vault.unlink("never.txt");
  CHECK_THAT(vault.reindex().notices.front(), Contains("nothing that was learned is shown"));
  CHECK_THAT(vault.memory_md(), !Contains("Tides"));
  CHECK_THAT(vault.messages("memory/learnings/1-note.md"), Contains("capture.literals_file"));
  CHECK(errors(vault) == 1);
  vault.write("never.txt", "harbour-master-code\n");
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Contains("Tides"));
}

}  // namespace daybook
