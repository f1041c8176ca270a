// SPDX-License-Identifier: MIT
//
// Notes of what was learned, from the file to the index: which count, which are wrong, and what is
// left when they go.
#include "daybook/index/reader.hpp"
#include "daybook/service/check.hpp"
#include "flow/disturbance.hpp"
#include "service/window_change.hpp"
#include "support/indexed_vault.hpp"
#include "support/learning_note.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Codes = std::vector<std::string>;
using flow::Naming;
using flow::session;
using index::LearningRow;
using support::IndexedVault;
using support::LearningNote;
using support::LearningTombstone;

void write(const IndexedVault& vault, const LearningNote& note) {
  fs::create_directories(vault.at("memory/learnings"));
  vault.write(note.path(), note.text());
}

index::Reader reader(const IndexedVault& vault) {
  auto opened = index::Reader::open(vault.folder().file(index::kIndexFile));
  REQUIRE(opened);
  return std::move(opened).value();
}

std::vector<LearningRow> learnings(const IndexedVault& vault,
                                   const index::LearningFilter& filter = {}) {
  std::vector<LearningRow> rows;
  REQUIRE(reader(vault).learnings(filter, [&rows](const LearningRow& row) {
    rows.push_back(row);
    return store::Visit::next;
  }));
  return rows;
}

std::vector<std::string> contents(const IndexedVault& vault,
                                  const index::LearningFilter& filter = {}) {
  std::vector<std::string> texts;
  for (const LearningRow& row : learnings(vault, filter)) {
    texts.push_back(row.learning.content);
  }
  return texts;
}

/// Rows as a rebuild has them.
std::string rebuilt(IndexedVault& vault) {
  vault.reindex(service::Extent::everything);
  return vault.rows();
}

LearningNote note(std::uint64_t id, const std::string& content) {
  return {id, content, {{"learning_kind", "fact"}}};
}

}  // namespace

TEST_CASE("learnings: a note is found newest first, by agent and type") {
  IndexedVault vault;
  vault.add(session(1));
  write(vault, {1, "Old.", {{"learning_kind", "fact"}, {"created_at", "2026-03-01T00:00:00Z"}}});
  write(vault,
        {2,
         "New.",
         {{"learning_kind", "procedure"},
          {"created_at", "2026-03-02T00:00:00Z"},
          {"category", "Build"}}});
  write(vault,
        {3,
         "Hers.",
         {{"learning_kind", "episode"},
          {"created_at", "2026-03-03T00:00:00Z"},
          {"agent_id", "scribe"}}});
  vault.write("memory/learnings/By hand.md", "---\nlearning_kind: decision\n---\nBy hand.\n");
  vault.write("memory/learnings/Index.md", "# All that we learnt\n");
  vault.write("memory/elsewhere.md", note(9, "Elsewhere.").text());
  vault.reindex();
  CHECK(contents(vault) == Codes{"Hers.", "New.", "Old.", "By hand."});
  CHECK(contents(vault, {"default", {}}) == Codes{"New.", "Old.", "By hand."});
  CHECK(contents(vault, {{}, lineage::MemoryType::semantic}) == Codes{"Old.", "By hand."});
  const auto found = reader(vault).learnings_by_id(2, "default");
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().path == "memory/learnings/2-note.md");
  CHECK(found->front().source_sha256 == base::sha256(vault.read("memory/learnings/2-note.md")));
  CHECK(reader(vault).learnings_by_id(2, "scribe")->empty());
  CHECK(reader(vault).agents().value() == Codes{"default", "scribe"});
}

TEST_CASE("learnings: what is wrong with a note is a finding, and the note is left out") {
  IndexedVault vault;
  write(vault,
        {1,
         "At odds.",
         {{"learning_kind", "fact"}, {"status", "active"}, {"publish_tier", "provisional"}}});
  write(vault, {2, "password=\"hunter2-and-more\"", {{"learning_kind", "procedure"}}});
  write(vault, {3, std::string(1601, 'x'), {{"learning_kind", "fact"}}});
  write(vault, {4, "What [[memory/not-there.md]] says.", {{"learning_kind", "fact"}}});
  vault.write("memory/learnings/5-broken.md", "---\nlearning_kind: [fact\n---\nText.\n");
  vault.write("memory/learnings/6-note.md", "---\nlearning_kind: fact\n---\nBad \xff bytes.\n");
  vault.write("memory/learnings/7-huge.md",
              "---\nlearning_kind: fact\n---\n" + std::string(1 << 20, 'x'));
  vault.reindex();
  CHECK(vault.codes("memory/learnings/1-note.md") == Codes{"learning-status"});
  CHECK(vault.codes("memory/learnings/2-note.md") == Codes{"learning-secret"});
  CHECK(vault.codes("memory/learnings/3-note.md") == Codes{"too-large"});
  CHECK(vault.codes("memory/learnings/4-note.md") == Codes{"link-missing-target"});
  CHECK(vault.codes("memory/learnings/5-broken.md") == Codes{"yaml-syntax"});
  CHECK(vault.codes("memory/learnings/6-note.md") == Codes{"invalid-utf8"});
  CHECK(vault.codes("memory/learnings/7-huge.md") == Codes{"too-large"});
  CHECK(contents(vault) == Codes{"What [[memory/not-there.md]] says."});
  CHECK(reader(vault).count_learnings({})->invalid == 6);
  CHECK(vault.state_files_with("hunter2-and-more").empty());
}

TEST_CASE("learnings: origin daemon is not believed") {
  IndexedVault vault;
  write(vault, {1, "Verified.", {{"learning_kind", "fact"}, {"origin", "daemon"}}});
  vault.reindex();
  CHECK(learnings(vault).at(0).learning.origin == lineage::LearningOrigin::api);
}

TEST_CASE("learnings: of two notes with one id the smallest path counts") {
  IndexedVault vault;
  write(vault, note(1, "The first."));
  vault.write("memory/learnings/z-copy.md", note(1, "The second.").text());
  vault.reindex();
  CHECK(contents(vault) == Codes{"The first."});
  CHECK(vault.codes("memory/learnings/z-copy.md") == Codes{"duplicate-learning"});
  CHECK(reader(vault).learnings_by_id(1, {})->size() == 2);
  const std::string two = vault.rows();
  CHECK(two == rebuilt(vault));

  SECTION("the first goes") { vault.unlink("memory/learnings/1-note.md"); }
  SECTION("the first is broken") { vault.write("memory/learnings/1-note.md", note(1, "").text()); }
  SECTION("the first becomes another's") {
    LearningNote other = note(1, "The first.");
    other.fields["agent_id"] = "scribe";
    write(vault, other);
  }
  SECTION("the first becomes another") {
    vault.write("memory/learnings/1-note.md", note(5, "x").text());
  }
  vault.reindex();
  CHECK(vault.codes("memory/learnings/z-copy.md").empty());
  CHECK(contents(vault, {"default", {}}).back() == "The second.");
  const std::string one = vault.rows();
  CHECK(one == rebuilt(vault));
}

TEST_CASE("learnings: a pass that is told of a note looks at that note alone") {
  IndexedVault vault;
  for (int i = 0; i < 3; ++i) {
    vault.add(session(i, Naming::by_path));
  }
  write(vault, note(1, "The first."));
  vault.reindex();
  write(vault, note(2, "The second."));
  const auto added = vault.follow({"memory/learnings/2-note.md"});
  CHECK(added.narrow);
  CHECK(added.added == 1);
  write(vault, note(1, "The first, put better."));
  const auto changed = vault.follow({"memory/learnings/1-note.md"});
  CHECK(changed.narrow);
  CHECK(contents(vault) == Codes{"The second.", "The first, put better."});
  vault.write("memory/learnings/0-copy.md", note(2, "A copy.").text());
  CHECK(vault.follow({"memory/learnings/0-copy.md"}).narrow);
  CHECK(vault.codes("memory/learnings/2-note.md") == Codes{"duplicate-learning"});
  const std::string rows = vault.rows();
  CHECK(rows == rebuilt(vault));
}

TEST_CASE("learnings: a new note takes no whole pass because some link goes by name") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_name));
  vault.write("Harbour notes.md", "# Harbour\n");
  vault.reindex();
  write(vault, note(5, "Tides are told in UTC."));
  CHECK(vault.follow({"memory/learnings/5-note.md"}).narrow);
  CHECK(contents(vault) == Codes{"Tides are told in UTC."});
  // One that a link may mean does.
  write(vault, {6, "See [[Tide table]].", {{"learning_kind", "fact"}}});
  vault.follow({"memory/learnings/6-note.md"});
  vault.write("memory/learnings/tide TABLE.md", "---\nlearning_kind: fact\n---\nHigh at noon.\n");
  CHECK_FALSE(vault.follow({"memory/learnings/tide TABLE.md"}).narrow);
  CHECK(vault.codes("memory/learnings/6-note.md").empty());
  const std::string rows = vault.rows();
  CHECK(rows == rebuilt(vault));
}

TEST_CASE("learnings: a forgotten note is gone from every byte of the state, and stays gone") {
  const std::string secretive =
      "The quaycrane stands at berth seven; ask the harbour master for it.";
  IndexedVault vault;
  vault.add(session(1));
  write(vault, note(1, secretive));
  write(vault, note(2, "Tides are told in UTC."));
  vault.reindex();
  REQUIRE_FALSE(vault.state_files_with("quaycrane").empty());
  const std::string text = note(1, secretive).text();
  const LearningTombstone tombstone{1, "learning", "default", "\n" + secretive};
  vault.write(tombstone.path(), tombstone.text());

  SECTION("with its file") {
    vault.unlink("memory/learnings/1-note.md");
    vault.reindex();
  }
  SECTION("while its file is still there") {
    vault.reindex();
    CHECK(vault.codes("memory/learnings/1-note.md") == Codes{"removed-content-present"});
  }
  CHECK(vault.state_files_with("quaycrane").empty());
  CHECK(contents(vault) == Codes{"Tides are told in UTC."});

  vault.write("memory/learnings/1-note.md", text);
  vault.write("memory/learnings/other name.md", text);
  vault.write("memory/elsewhere.md", text);
  vault.write("memory/learnings/3-no-fields.md", "---\ntitle: x\n---\n\n" + secretive + "\n");
  vault.write("memory/learnings/0001-zeros.md",
              "---\nlearning_kind: fact\nlearning_id: 001\n---\nquaycrane\n");
  vault.reindex();
  for (const auto* path : {"memory/learnings/1-note.md",
                           "memory/learnings/other name.md",
                           "memory/elsewhere.md",
                           "memory/learnings/3-no-fields.md",
                           "memory/learnings/0001-zeros.md"}) {
    CAPTURE(path);
    CHECK(vault.codes(path) == Codes{"removed-content-present"});
  }
  CHECK(contents(vault) == Codes{"Tides are told in UTC."});
  CHECK(vault.state_files_with("quaycrane").empty());
  CHECK(vault.memory_md().find("quaycrane") == std::string::npos);
  const std::string rows = vault.rows();
  CHECK(rows == rebuilt(vault));
}

TEST_CASE("learnings: a short text that was forgotten is known again under another id") {
  IndexedVault vault;
  write(vault, note(2, "Pier 7."));
  write(vault, {3, "Pier 7.", {{"learning_kind", "fact"}, {"agent_id", "other"}}});
  vault.write("memory/quay.md", "---\ntitle: x\n---\nPier 7.\n");
  vault.reindex();
  LearningTombstone tombstone;
  tombstone.said = "\nPier 7.";
  vault.write(tombstone.path(), tombstone.text());
  vault.reindex();
  CHECK(vault.codes("memory/learnings/2-note.md") == Codes{"removed-content-present"});
  CHECK(vault.codes("memory/learnings/3-note.md").empty());
  CHECK(vault.codes("memory/quay.md").empty());
  const std::string rows = vault.rows();
  CHECK(rows == rebuilt(vault));
}

TEST_CASE("learnings: a note is not removed by its path, which holds its words") {
  IndexedVault vault;
  write(vault, note(1, "The quaycrane stands at berth seven."));
  vault.reindex();
  const auto plan = vault.decisions().plan_removal(
      {capture::RemovalTarget::By::path, "memory/learnings/1-note.md", {}}, "stale");
  REQUIRE_FALSE(plan);
  CHECK(plan.error().kind == ErrorKind::usage);
  CHECK(plan.error().hint.find("daybook learnings forget 1 ") != std::string::npos);
}

TEST_CASE("learnings: a copy of MEMORY.md that says what was forgotten goes, too") {
  const std::string content = "The quaycrane stands at berth seven; ask the harbour master for it.";
  IndexedVault vault;
  write(vault, note(1, content));
  vault.reindex();
  vault.write("MEMORY.md", vault.memory_md() + "\nMine.\n");
  vault.reindex();
  vault.unlink("memory/learnings/1-note.md");
  vault.reindex();
  REQUIRE_FALSE(vault.state_files_with("quaycrane").empty());
  const LearningTombstone tombstone{1, "learning", "default", "\n" + content};
  vault.write(tombstone.path(), tombstone.text());
  vault.reindex();
  CHECK(vault.state_files_with("quaycrane").empty());
}

TEST_CASE("learnings: another agent's note with the same id stays") {
  IndexedVault vault;
  LearningNote hers = note(1, "Hers.");
  hers.fields["agent_id"] = "scribe";
  write(vault, hers);
  const LearningTombstone tombstone{1, "learning", "default", {}};
  vault.write(tombstone.path(), tombstone.text());
  vault.reindex();
  CHECK(contents(vault) == Codes{"Hers."});
}

TEST_CASE("learnings: what was revoked stays, and must say so") {
  IndexedVault vault;
  write(vault, note(1, "Wrong all along."));
  vault.reindex();
  const LearningTombstone tombstone{1, "revocation", "default", {}};
  vault.write(tombstone.path(), tombstone.text());
  vault.reindex();
  CHECK(vault.codes("memory/learnings/1-note.md") == Codes{"learning-status"});
  CHECK(contents(vault).empty());
  const std::string left_out = vault.rows();
  CHECK(left_out == rebuilt(vault));

  LearningNote revoked = note(1, "Wrong all along.");
  revoked.fields["status"] = "revoked";
  write(vault, revoked);
  vault.reindex();
  CHECK(vault.codes("memory/learnings/1-note.md").empty());
  REQUIRE(learnings(vault).size() == 1);
  CHECK(learnings(vault)[0].learning.status == lineage::LearningStatus::revoked);

  SECTION("the tombstone is lifted") {
    write(vault, note(1, "Right after all."));
    std::string lifted = tombstone.text();
    lifted.insert(4, "lifted_at: 2026-03-30T11:00:00.000Z\n");
    vault.write(tombstone.path(), lifted);
    vault.reindex();
    CHECK(contents(vault) == Codes{"Right after all."});
  }
}

TEST_CASE("learnings: the next one to expire is known") {
  IndexedVault vault;
  write(vault, {1, "Soon.", {{"learning_kind", "fact"}, {"expires_at", "2026-04-01T00:00:00Z"}}});
  write(vault, {2, "Later.", {{"learning_kind", "fact"}, {"expires_at", "2026-05-01T00:00:00Z"}}});
  write(vault, note(3, "Never."));
  vault.reindex();
  const auto next = [&](std::string_view now) {
    return reader(vault).next_expiry(*lineage::parse_timestamp(now)).value();
  };
  CHECK(next("2026-03-30T00:00:00Z") == lineage::parse_timestamp("2026-04-01T00:00:00Z"));
  CHECK(next("2026-04-01T00:00:00Z") == lineage::parse_timestamp("2026-05-01T00:00:00Z"));
  CHECK_FALSE(next("2026-06-01T00:00:00Z"));
}

TEST_CASE("learnings: MEMORY.md tells what may be told, to its own agent") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_path));
  write(vault, note(1, "Tides are told in UTC."));
  write(vault, {2, "Build twice.", {{"learning_kind", "procedure"}, {"category", "release"}}});
  write(vault, {3, "Hers alone.", {{"learning_kind", "fact"}, {"agent_id", "reader"}}});
  write(vault, {4, "SECRETIVE", {{"learning_kind", "fact"}, {"sensitivity", "sensitive"}}});
  write(vault, {5, "SECRETIVE", {{"learning_kind", "procedure"}, {"status", "provisional"}}});
  write(vault, {6, "SECRETIVE", {{"learning_kind", "fact"}, {"status", "revoked"}}});
  write(vault, {7, "SECRETIVE", {{"learning_kind", "fact"}, {"scope", "\"project:/x\""}}});
  write(vault, {8, "SECRETIVE", {{"learning_kind", "episode"}}});
  write(vault, {9, "SECRETIVE", {{"learning_kind", "fact"}, {"status", "archived"}}});
  vault.reindex();
  const std::string page = vault.memory_md();
  CHECK_THAT(page,
             Catch::Contains("## Learned Procedures and Policies\n\n- [release] Build twice.\n"));
  CHECK_THAT(page,
             Catch::Contains("## Facts and Preferences\n\n- [general] Tides are told in UTC.\n"));
  CHECK_THAT(page, !Catch::Contains("Hers alone") && !Catch::Contains("SECRETIVE"));
  // An agent that has no session.
  CHECK_THAT(vault.memory_md("reader"), Catch::Contains("- [general] Hers alone.\n"));
  CHECK_THAT(vault.memory_md("reader"), !Catch::Contains("Tides"));

  vault.unlink("memory/learnings/3-note.md");
  vault.reindex();
  CHECK_THAT(vault.memory_md("reader"), !Catch::Contains("Hers alone"));
}

TEST_CASE("learnings: a pass that is told of a note brings it into MEMORY.md") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_path));
  vault.reindex();
  write(vault, note(1, "Tides are told in UTC."));
  CHECK_FALSE(vault.follow({"memory/learnings/1-note.md"}).projections.empty());
  CHECK_THAT(vault.memory_md(), Catch::Contains("- [general] Tides are told in UTC.\n"));
}

TEST_CASE("learnings: what expires leaves MEMORY.md at that time, and the service knows when") {
  IndexedVault vault;
  write(vault,
        {1, "Soon gone.", {{"learning_kind", "fact"}, {"expires_at", "2026-04-01T00:00:00Z"}}});
  vault.set_now("2026-03-31T12:00:00Z");
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Catch::Contains("Soon gone."));
  auto opened = index::open_index(vault.folder().file(index::kIndexFile), store::Access::read_only);
  REQUIRE(opened);
  const auto next = service::next_window_change(*opened->database,
                                                *lineage::parse_timestamp("2026-03-31T12:00:00Z"));
  REQUIRE(next);
  CHECK(*next == lineage::parse_timestamp("2026-04-01T00:00:00Z"));
  opened->database.reset();
  vault.set_now("2026-04-01T00:00:00Z");
  vault.reindex();
  CHECK_THAT(vault.memory_md(), !Catch::Contains("Soon gone."));
}

TEST_CASE("learnings: a note of 'Default' takes no page from the default agent, now or later") {
  IndexedVault vault;
  LearningNote wrong = note(1, "Of nobody.");
  wrong.fields["agent_id"] = "Default";
  write(vault, wrong);
  write(vault, note(2, "Tides are told in UTC."));
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Catch::Contains("Tides") && !Catch::Contains("Of nobody"));
  CHECK_FALSE(vault.exists("agents/Default/MEMORY.md"));
  vault.unlink(note(2, "").path());
  vault.reindex();
  // Alone, too, it is at odds with the agent that there always is.
  CHECK(vault.codes("memory/learnings/1-note.md") == Codes{"bad-agent-id"});
  service::WorkProgress progress;
  const auto checked = service::check(base::real_disk(), {vault.workspace(), {}, {}, 1}, progress);
  REQUIRE(checked);
  CHECK(checked->findings().size() == 1);
  const std::string rows = vault.rows();
  CHECK(rows == rebuilt(vault));
}

TEST_CASE("learnings: a page of an agent that is gone keeps none from one that lives") {
  IndexedVault vault;
  LearningNote hers = note(1, "Hers.");
  hers.fields["agent_id"] = "Scribe";
  write(vault, hers);
  vault.reindex();
  REQUIRE(vault.exists("agents/Scribe/MEMORY.md"));
  hers.fields["agent_id"] = "scribe";
  write(vault, hers);
  vault.reindex();
  CHECK_THAT(vault.memory_md("scribe"), Catch::Contains("Hers."));
}

}  // namespace daybook
