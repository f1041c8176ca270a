// SPDX-License-Identifier: MIT
//
// What is taken when everything is to go, and what a single note takes with it.
#include "daybook/state/state_db.hpp"
#include "daybook/store/database.hpp"
#include "learn/bench.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace daybook::learn {
namespace {

using Paths = std::vector<std::string>;
using lineage::MemoryType;

const std::string kTop = "vault/memory/learnings/";

void write(const Bench& bench, const std::string& name, const std::string& fields) {
  bench.write(kTop + name, "---\n" + fields + "---\nIn " + name + ".\n");
}

}  // namespace

TEST_CASE("Clearing takes wrong notes, too, but no draft and no other agent's") {
  Bench bench;
  bench.write(kTop + "7-secret.md", "---\nlearning_kind: fact\n---\npassword: hunter2hunter2\n");
  write(bench, "8-odd.md", "learning_kind: fact\nstatus: active\npublish_tier: provisional\n");
  write(bench, "9-ok.md", "learning_kind: fact\n");
  write(bench, "9-ok (conflicted copy 2026-01-01).md", "learning_kind: fact\n");
  bench.write(kTop + "10-broken.md", "---\nlearning_kind: fact\n: [\n---\nx\n");
  bench.write(kTop + "11-draft.md", "A draft.\n");
  write(bench, "12-other.md", "learning_kind: fact\nagent_id: other\n");
  const Filter mine{"default", {}, {}, true};
  CHECK(what_clearing_takes(bench.desk(), mine)->paths.size() == 5);
  const auto change = clear(bench.desk(), mine);
  REQUIRE(change.ok());
  CHECK(change->left.empty());
  Paths stayed;
  for (const auto& entry : std::filesystem::directory_iterator(bench.at(kTop))) {
    stayed.push_back(entry.path().filename());
  }
  std::sort(stayed.begin(), stayed.end());
  CHECK(stayed == Paths{"11-draft.md", "12-other.md"});
}

TEST_CASE("Clearing that fails halfway tells what is gone, and why it ended there") {
  Bench bench;
  write(bench, "5-a.md", "learning_kind: fact\n");
  write(bench, "6-b.md", "learning_kind: fact\n");
  write(bench, "7-c.md", "learning_kind: fact\n");
  const std::string blocked = bench.folder.file("locks") + "/" +
                              lineage::learning_token("default", 6).to_string() + ".lock";
  std::filesystem::create_directories(blocked);
  const auto change = clear(bench.desk(), {"default", {}, {}, true});
  REQUIRE(change.ok());
  REQUIRE(change->cut_off);
  CHECK(change->cut_off->message.starts_with("forgot 1 of 3, then failed at the note 6: "));
  REQUIRE(change->notes.size() == 1);
  CHECK(change->notes.front().path == "memory/learnings/5-a.md");
  for (const char* path : {"memory/learnings/5-a.md", "memory/learnings/6-b.md"}) {
    CHECK(std::count(change->paths.begin(), change->paths.end(), path) == 1);
  }
  CHECK(bench.contents() == Paths{"In 7-c.md.", "In 6-b.md."});
  std::filesystem::remove(blocked);
  CHECK_FALSE(clear(bench.desk(), {"default", {}, {}, true})->cut_off);
  CHECK(bench.contents().empty());
}

TEST_CASE("What is cut off names the notes that may be left, and what was not begun is an error") {
  Bench bench;
  write(bench, "5-a.md", "learning_kind: fact\n");
  write(bench, "6-b.md", "learning_kind: fact\n");
  const std::string blocked = bench.folder.file("locks") + "/" +
                              lineage::learning_token("default", 5).to_string() + ".lock";
  std::filesystem::create_directories(blocked);
  const auto cleared = clear(bench.desk(), {"default", {}, {}, true});
  REQUIRE(cleared->cut_off);
  CHECK(still_there(bench.desk(), cleared->unfinished) ==
        Paths{"memory/learnings/5-a.md", "memory/learnings/6-b.md"});
  std::filesystem::remove(blocked);
  REQUIRE(forget(bench.desk(), {"default", 5}, "stale", Absent::kept_away).ok());
  CHECK(still_there(bench.desk(), cleared->unfinished) == Paths{"memory/learnings/6-b.md"});
}

TEST_CASE("What was not begun is an error, and nothing is cut off") {
  Bench bench;
  write(bench, "5-a.md", "learning_kind: fact\n");
  REQUIRE(state::StateDb::open(bench.folder).ok());  // so that it is there
  auto other = store::Database::open(bench.folder.file("state.db"));
  REQUIRE(other);
  REQUIRE(other->execute("BEGIN IMMEDIATE"));
  const auto change = forget(bench.desk(), {"default", 5}, "stale");
  REQUIRE_FALSE(change.ok());
  CHECK(change.error().kind == ErrorKind::busy);
  REQUIRE(other->execute("ROLLBACK"));
  CHECK(forget(bench.desk(), {"default", 5}, "stale")->notes.size() == 1);
}

TEST_CASE("Clearing takes a note that says the word by which it is done") {
  Bench bench;
  REQUIRE(bench.add("Cleared.").ok());
  CHECK(clear(bench.desk(), {"default", {}, {}, true})->notes.size() == 1);
  CHECK(bench.contents().empty());
}

TEST_CASE("Clearing one type leaves what another type has the id of, and says so") {
  Bench bench;
  write(bench, "5-a.md", "learning_kind: fact\n");
  write(bench, "5-b.md", "learning_kind: procedure\n");
  write(bench, "6-c.md", "learning_kind: procedure\n");
  const Filter procedures{"default", MemoryType::procedural, {}, true};
  CHECK(bench.contents(procedures) == Paths{"In 6-c.md."});
  const auto change = clear(bench.desk(), procedures);
  REQUIRE(change.ok());
  CHECK(change->left == Paths{"memory/learnings/5-b.md"});
  CHECK(std::filesystem::exists(bench.at(kTop + "5-a.md")));
  CHECK_FALSE(std::filesystem::exists(bench.at(kTop + "6-c.md")));
  CHECK(bench.contents() == Paths{"In 5-a.md."});
}

TEST_CASE("A reason that holds what is to be forgotten is refused, and nothing goes") {
  Bench bench;
  const auto made = bench.add("Ada's door code lies under the mat.");
  const Name name{"", made->notes.front().learning.id};
  check_refused(forget(bench.desk(), name, "it said: ADA'S door code lies\nunder the mat"),
                "the reason holds");
  CHECK(bench.contents().size() == 1);
  CHECK(forget(bench.desk(), name, "the code has changed").ok());
}

TEST_CASE("What is gone already can be kept away, if it is said whose it was") {
  Bench bench;
  write(bench, "7-a.md", "learning_kind: fact\n");
  const std::string bytes = bench.read(kTop + "7-a.md");
  std::filesystem::remove(bench.at(kTop + "7-a.md"));
  CHECK_FALSE(forget(bench.desk(), {"default", 7}, "stale").ok());
  CHECK_FALSE(forget(bench.desk(), {"", 7}, "stale", Absent::kept_away).ok());
  REQUIRE(forget(bench.desk(), {"default", 7}, "stale", Absent::kept_away)->paths.size() == 1);
  CHECK(forget(bench.desk(), {"default", 7}, "stale", Absent::kept_away)->paths.empty());
  bench.write(kTop + "7-a.md", bytes);
  CHECK(bench.contents().empty());
}

TEST_CASE("A synchroniser's copy beside a note is not told, nor written into") {
  Bench bench;
  write(bench, "7-a.md", "learning_kind: fact\n");
  write(bench, "7-a (conflicted copy 2026-01-01).md", "learning_kind: fact\n");
  CHECK(bench.contents() == Paths{"In 7-a.md."});
  const auto change = revoke(bench.desk(), {"", 7}, "moved");
  REQUIRE(change.ok());
  CHECK(change->not_edited.empty());
  CHECK(bench.read(kTop + "7-a.md").find("revoked") != std::string::npos);
  CHECK(bench.read(kTop + "7-a (conflicted copy 2026-01-01).md").find("revoked") ==
        std::string::npos);
}

}  // namespace daybook::learn
