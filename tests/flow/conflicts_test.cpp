// SPDX-License-Identifier: MIT
//
// Conflict copies are known by name and content, and resolved without losing a byte.
#include "flow/conflict_copies.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {

using Catch::Contains;
using lineage::Kind;

TEST_CASE("a copy with its original's bytes goes to the trash, whoever made it") {
  IndexedVault vault;
  vault.add(session());
  vault.reindex();
  const std::string rows = vault.rows();
  const Kind kind = GENERATE(Kind::summary, Kind::transcript, Kind::manifest);
  const std::string mark =
      GENERATE(kSyncthing, kObsidian, kDropbox, kNextcloud, kIcloud, kDrive, kOneDrive);
  const std::string path = session().file(kind).path();
  const std::string copy = with_mark(path, mark);
  const std::string bytes = vault.read(path);
  vault.write(copy, bytes);
  vault.reindex();
  CAPTURE(copy);
  CHECK(vault.codes(copy) == std::vector<std::string>{"conflict-copy"});
  const Conflict conflict = only(vault);
  CHECK(conflict.path == copy);
  CHECK(conflict.original == path);
  CHECK(conflict.agent_id == "default");
  CHECK(to_string(conflict.kind) == to_string(kind));
  CHECK(conflict.verdict == ConflictVerdict::same_bytes);
  const auto outcomes = resolve(vault, {conflict});
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes.front().done == ConflictAction::trash);
  CHECK(bytes_of(outcomes.front().trash) == bytes);
  CHECK_FALSE(vault.exists(copy));
  CHECK(vault.read(path) == bytes);
  vault.reindex();
  CHECK(vault.rows() == rows);
  CHECK(find(vault).empty());
  auto state = vault.open_state();
  const auto entry = state.audit().recent(1).value().front();
  CHECK(entry.action == state::AuditAction::resolve_conflict);
  CHECK(entry.subject == copy);
}

TEST_CASE("of immutable files that differ both are kept") {
  IndexedVault vault;
  vault.add(session());
  vault.reindex();
  const Kind kind = GENERATE(Kind::summary, Kind::transcript);
  const std::string path = session().file(kind).path();
  const std::string copy = with_mark(path, GENERATE(kSyncthing, kIcloud, kDrive));
  const std::string bytes = vault.read(path);
  std::string other = bytes;
  SECTION("longer") { other += "And more.\n"; }
  SECTION("of the same size") { other.back() = other.back() == '\n' ? ' ' : '\n'; }
  vault.write(copy, other);
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::differs);
  CHECK_THAT(conflict.reason, Contains("both are kept"));
  const auto outcomes = resolve(vault, {conflict});
  CHECK(outcomes.front().done == ConflictAction::keep);
  CHECK(vault.read(path) == bytes);
  CHECK(vault.read(copy) == other);
  CHECK(trashed(vault).empty());
  vault.reindex();
  CHECK(vault.codes(copy) == std::vector<std::string>{"conflict-copy"});  // still flagged
}

TEST_CASE("a copy that speaks of another session than its name is told apart") {
  IndexedVault vault;
  vault.add(session());
  const SessionFiles stranger("default", "another", "2026-03-21T10:00:00.000Z");
  vault.write(with_mark(session().summary.path(), kIcloud), stranger.text(Kind::summary));
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::differs);
  CHECK_THAT(conflict.reason, Contains("frontmatter"));
}

TEST_CASE("a copy whose original is missing stays, because it may be the only one") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  const std::string copy = with_mark(files.summary.path(), GENERATE(kSyncthing, kIcloud));
  fs::rename(vault.at(files.summary.path()), vault.at(copy));
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::no_original);
  CHECK(resolve(vault, {conflict}).front().done == ConflictAction::keep);
  CHECK(vault.exists(copy));
}

TEST_CASE("people's notes: a mark of a synchroniser counts, a number only with the same bytes") {
  IndexedVault vault;
  const std::string text =
      "# Plan\n\nA plan that is long enough not to be the same as another one by chance.\n";
  vault.write("memory/Plan.md", text);
  SECTION("a synchroniser's copy that differs is left to the person") {
    vault.write(with_mark("memory/Plan.md", kObsidian), text + "More.\n");
    const Conflict conflict = only(vault);
    CHECK(conflict.kind == ConflictKind::note);
    CHECK(conflict.verdict == ConflictVerdict::differs);
  }
  SECTION("a synchroniser's copy without a difference goes") {
    vault.write(with_mark("memory/Plan.md", kObsidian), text);
    CHECK(resolve(vault, find(vault)).front().done == ConflictAction::trash);
  }
  SECTION("a number and the same bytes") {
    vault.write("memory/Plan 2.md", text);
    vault.write("memory/Plan (1).md", text);
    const auto outcomes = resolve(vault, find(vault));
    REQUIRE(outcomes.size() == 2);
    CHECK_FALSE(vault.exists("memory/Plan 2.md"));
    CHECK_FALSE(vault.exists("memory/Plan (1).md"));
  }
  SECTION("a number and other bytes, of another size or not, is a note of its own") {
    vault.write("memory/Plan 2.md", text + "More.\n");
    vault.write("memory/Plan 3.md", replaced(text, "A plan", "B plan"));
    CHECK(find(vault).empty());
  }
  SECTION("a number and no original") {
    vault.write("memory/Chapter 2.md", text);
    CHECK(find(vault).empty());
  }
  SECTION("short notes are alike by chance") {
    vault.write("memory/Untitled.md", "");
    vault.write("memory/Untitled 2.md", "");
    vault.write("memory/List.md", "- milk\n");
    vault.write("memory/List (1).md", "- milk\n");
    CHECK(find(vault).empty());
  }
  SECTION("a machine's name behind an ordinary note") {
    vault.write("memory/Plan-LAPTOP.md", text);
    CHECK(find(vault).empty());
  }
  CHECK(vault.read("memory/Plan.md") == text);
}

TEST_CASE("copies of MEMORY.md go to the trash: it is derived") {
  IndexedVault vault;
  vault.add(session());
  vault.add({"scribe", "key-1", "2026-03-20T10:00:00.000Z"});
  vault.reindex();
  const std::string ours = vault.memory_md();
  const std::string theirs = vault.memory_md("scribe");
  vault.write(with_mark("MEMORY.md", kSyncthing), ours);
  vault.write(with_mark("MEMORY.md", kObsidian), "edited by a person\n");
  vault.write("MEMORY 2.md", ours);
  vault.write(with_mark("agents/scribe/MEMORY.md", kDrive), theirs);
  // Not ours to judge:
  vault.write("MEMORY 3.md", "# Chapter three of my memories\n");
  vault.write("Plan 2.md", ours);
  vault.write("notes/MEMORY 2.md", ours);
  const auto found = find(vault);
  REQUIRE(found.size() == 4);
  for (const Conflict& conflict : found) {
    CHECK(conflict.kind == ConflictKind::memory_md);
    CHECK(conflict.verdict == ConflictVerdict::derived);
  }
  CHECK(std::count_if(found.begin(), found.end(), [](const Conflict& conflict) {
          return conflict.agent_id == "scribe" && conflict.original == "agents/scribe/MEMORY.md";
        }) == 1);
  resolve(vault, found);
  vault.reindex();
  CHECK(find(vault).empty());
  CHECK(vault.memory_md() == ours);
  CHECK(vault.memory_md("scribe") == theirs);
  CHECK(vault.exists("MEMORY 3.md"));
  CHECK(vault.exists("Plan 2.md"));
  CHECK(vault.exists("notes/MEMORY 2.md"));
  CHECK(trashed(vault).size() == 4);
  CHECK(holds(trashed(vault), "edited by a person\n"));
}

TEST_CASE("one agent's conflicts can be asked for alone") {
  IndexedVault vault;
  const SessionFiles theirs("scribe", "key-1", "2026-03-20T10:00:00.000Z");
  for (const SessionFiles& files : {session(), theirs}) {
    vault.add(files);
    vault.write(with_mark(files.summary.path(), kSyncthing), vault.read(files.summary.path()));
  }
  service::ConflictSearch search;
  search.agent = "scribe";
  const auto found = service::find_conflicts(base::real_disk(), vault.workspace(), search);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().original == theirs.summary.path());
}

TEST_CASE("a manifest and its copy become one by revision") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  vault.reindex();
  const std::string path = files.manifest.path();
  const std::string copy = with_mark(path, kSyncthing);
  const std::string before = vault.read(path);
  const std::string later = "memory/2026-03-21T10-00-00.000Z--" + files.token() + "--summary.md";
  SECTION("the copy is the newer one") {
    const std::string newer =
        replaced(replaced(before, "revision: 1", "revision: 5"), "---\n", "---\nmine: kept\n");
    vault.write(copy, newer);
    const Conflict conflict = only(vault);
    CHECK(conflict.verdict == ConflictVerdict::mergeable);
    CHECK_THAT(conflict.reason, Contains("the copy has the higher revision, 5 against 1"));
    const auto outcome = resolve(vault, {conflict}).front();
    CHECK(outcome.done == ConflictAction::merge);
    CHECK_THAT(vault.read(path), Contains("revision: 6") && Contains("mine: kept"));
    CHECK(holds(trashed(vault), newer));
    CHECK(holds(trashed(vault), before));  // what was replaced is not lost either
  }
  SECTION("the original is the newer one and lacks a file that the copy names") {
    SessionFiles resumed("default", "key-1", "2026-03-21T10:00:00.000Z");
    resumed.summary.fields.set_text("manifest_path", path);
    vault.write(later, resumed.text(Kind::summary));
    vault.write(path, replaced(before, "revision: 1", "revision: 5"));
    vault.write(copy, replaced(before, files.summary.path(), later));
    resolve(vault, find(vault));
    CHECK_THAT(vault.read(path), Contains("revision: 6") && Contains(later));
    CHECK_THAT(vault.read(path), Contains(files.summary.path()));
    vault.reindex();
    CHECK(vault.codes(later).empty());
  }
  SECTION("the original says it all") {
    vault.write(path, replaced(before, "revision: 1", "revision: 5"));
    vault.write(copy, before);
    resolve(vault, find(vault));
    CHECK_THAT(vault.read(path), Contains("revision: 5"));
  }
  CHECK_FALSE(vault.exists(copy));
  vault.reindex();
  CHECK(vault.codes(path).empty());
  CHECK(find(vault).empty());
  CHECK_THAT(vault.memory_md(), Contains("session=key-1"));
}

TEST_CASE("a manifest that cannot be read is merged with nothing") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  const std::string copy = with_mark(files.manifest.path(), kSyncthing);
  vault.write(copy, "half of a fi");
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::differs);
  CHECK_THAT(conflict.reason, Contains("cannot be merged"));
  resolve(vault, {conflict});
  CHECK(vault.read(copy) == "half of a fi");
}

}  // namespace daybook::test
