// SPDX-License-Identifier: MIT
//
// Ways by which a text that was forgotten might come back to its agent.
#include "learn/bench.hpp"
#include "learn/shelf.hpp"

namespace daybook::learn {

using lineage::LearningKind;

TEST_CASE("A short text that was forgotten stays away from its agent, and only from it") {
  Bench bench;
  const auto made = bench.add("Pier 7.");
  REQUIRE(made.ok());
  const Note note = made->notes.front();
  REQUIRE(forget(bench.desk(), {"", note.learning.id}, "stale").ok());
  check_refused(bench.add("Pier 7."), "forgotten on request");
  check_refused(bench.add("\n Pier 7.  \n"), "forgotten on request");
  const auto taken = import(bench.desk(), "", R"([{"content": "Pier 7."}])", Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->forgotten == 1);
  for (const char* before : {"", "\n", "\n\n\n", " ", "\r\n\t"}) {
    bench.write("vault/memory/learnings/other.md",
                std::string("---\nlearning_kind: fact\n---\n") + before + "Pier 7.\n");
    CHECK(bench.contents().empty());
  }
  CHECK(bench.add("Pier 8.").ok());
  CHECK(bench.add("Pier 7.", by_agent(LearningKind::fact, "other")).ok());
}

TEST_CASE("No new note gets the id of a tombstone, also of a note that was never here") {
  constexpr std::uint64_t kUnknown = 77;
  Bench bench;
  const Note forgotten = bench.add("Pier 7.")->notes.front();
  const Note revoked = bench.add("Pier 8.")->notes.front();
  REQUIRE(forget(bench.desk(), {"", forgotten.learning.id}, "stale").ok());
  REQUIRE(revoke(bench.desk(), {"", revoked.learning.id}, "stale").ok());
  std::filesystem::remove(bench.at("vault/" + revoked.path));
  REQUIRE(forget(bench.desk(), {"default", kUnknown}, "stale", Absent::kept_away).ok());
  auto shelf = Shelf::open(bench.desk());
  REQUIRE(shelf.ok());
  for (const std::uint64_t id : {forgotten.learning.id, revoked.learning.id, kUnknown}) {
    INFO(id);
    CHECK_FALSE(shelf->is_free(id, "default"));
    CHECK(shelf->is_free(id, "other"));
  }
  const auto made = shelf->new_id("default");
  REQUIRE(made);
  CHECK_FALSE(shelf->is_free(*made, "default"));
}

TEST_CASE("What two agents know each forgets for itself") {
  Bench bench;
  const auto mine = bench.add(kFerry);
  REQUIRE(bench.add(kFerry, by_agent(LearningKind::fact, "other")).ok());
  REQUIRE(forget(bench.desk(), {"default", mine->notes.front().learning.id}, "stale").ok());
  check_refused(bench.add(kFerry), "forgotten on request");
  CHECK(bench.contents() == std::vector<std::string>{kFerry});
}

TEST_CASE(
    "What one agent forgets takes no other agent's note with it, though both have its number") {
  Bench bench;
  const std::string unnamed = "vault/memory/learnings/1-style.md";
  const std::string broken = "vault/memory/learnings/1-broken.md";
  const std::string of_spy = "vault/memory/learnings/spy/1-tone.md";
  bench.write(unnamed, "---\nlearning_kind: fact\n---\nKeep to the style.\n");
  bench.write(broken, "---\nlearning_kind: fact\nagent_id: default\n: [\n---\nx\n");
  bench.write(of_spy, "---\nlearning_kind: fact\nagent_id: spy\n---\nKeep the tone.\n");
  check_refused(forget(bench.desk(), {"", 1}, "stale"), "several agents");
  REQUIRE(forget(bench.desk(), {"spy", 1}, "stale").ok());
  CHECK_FALSE(std::filesystem::exists(bench.at(of_spy)));
  CHECK(std::filesystem::exists(bench.at(unnamed)));
  CHECK(std::filesystem::exists(bench.at(broken)));
  bench.write("vault/memory/learnings/1-later.md", "---\nlearning_kind: fact\n---\nLater.\n");
  CHECK(list(bench.desk(), {})->size() == 1);
  bench.write(of_spy, "---\nlearning_kind: fact\nagent_id: spy\n---\nKeep any tone.\n");
  CHECK(list(bench.desk(), {"spy", {}, {}, true})->empty());
}

TEST_CASE("A tombstone that somebody has put among the notes is none") {
  Bench bench;
  const auto made = bench.add(kFerry);
  const Name name{"default", made->notes.front().learning.id};
  const auto revoked = revoke(bench.desk(), name, "moved");
  REQUIRE(revoked.ok());
  const std::string tombstone = revoked->paths.back();
  const std::string moved = "memory/learnings/" + tombstone.substr(tombstone.rfind('/') + 1);
  std::filesystem::rename(bench.at("vault/" + tombstone), bench.at("vault/" + moved));
  CHECK(what_forgetting_takes(bench.desk(), name)->size() == 1);
  REQUIRE(forget(bench.desk(), name, "stale").ok());
  CHECK(std::filesystem::exists(bench.at("vault/" + moved)));
}

TEST_CASE("The same text in two notes stays away once both are forgotten") {
  Bench bench;
  NewLearning like;
  const auto fact = bench.add(kFerry);
  like.kind = LearningKind::decision;
  REQUIRE(bench.add(kFerry, like).ok());
  SECTION("at once") {
    REQUIRE(clear(bench.desk(), {"default", {}, {}, true}).ok());
    check_refused(bench.add(kFerry), "forgotten on request");
  }
  SECTION("while one of them stays, its text does") {
    REQUIRE(forget(bench.desk(), {"", fact->notes.front().learning.id}, "stale").ok());
    CHECK(bench.contents() == std::vector<std::string>{kFerry});
  }
}

TEST_CASE("A text that a blank line stood before is forgotten without it, too") {
  Bench bench;
  bench.write("vault/memory/learnings/7-ferry.md",
              std::string("---\nlearning_kind: fact\n---\n\n") + kFerry + "\n");
  REQUIRE(forget(bench.desk(), {"", 7}, "stale").ok());
  check_refused(bench.add(kFerry), "forgotten on request");
}

TEST_CASE("A note that speaks of a removed session is no more on the shelf than in the index") {
  Bench bench;
  bench.write(
      "vault/memory/learnings/7-ferry.md",
      std::string("---\nlearning_kind: fact\nagent_id: default\nsession_id: harbour\n---\n\n") +
          kFerry + "\n");
  CHECK(bench.contents() == std::vector<std::string>{kFerry});
  const auto token = lineage::SessionToken::derive("default", "harbour").to_string();
  bench.write("vault/memory/2026-04-01T07-00-00.000Z--" + token + "--tombstone.md", "unreadable\n");
  CHECK(bench.contents().empty());
  // It is not known already: nobody is shown that note.
  REQUIRE(bench.add(kFerry).ok());
  CHECK(bench.contents() == std::vector<std::string>{kFerry});
}

TEST_CASE("A copy of MEMORY.md that tells of what is forgotten in its own form goes with it") {
  Bench bench;
  const std::string before = "# Memory\n\n## Facts and Preferences\n\n- [general] Pier 8.\n";
  std::string content = "Moor at [pier 7];\nask for *Ada*";
  std::string told = "- [general] Moor at ［pier 7］; ask for ∗Ada∗";
  SECTION("in other signs and one line") {}
  SECTION("cut") {
    for (int i = 0; i < 100; ++i) {
      content += " then wait";
    }
    told +=
        " then wait then wait then wait then wait then wait then wait then wait then wait then"
        " wait then wait then wait then wait then wait then wait then wait then wait then wait"
        " then wait then wait then wait then wait then wait then wait then wait then wait…";
  }
  SECTION("being short") {
    content = "Pier 7.";
    told = "- [general] Pier 7.";
  }
  const auto made = bench.add(content);
  REQUIRE(made.ok());
  bench.write("state/replaced/1-MEMORY.md", before + told + "\n");
  bench.write("state/replaced/2-MEMORY.md", before);
  REQUIRE(forget(bench.desk(), {"", made->notes.front().learning.id}, "stale").ok());
  CHECK_FALSE(std::filesystem::exists(bench.at("state/replaced/1-MEMORY.md")));
  CHECK(std::filesystem::exists(bench.at("state/replaced/2-MEMORY.md")));
}

}  // namespace daybook::learn
