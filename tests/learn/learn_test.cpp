// SPDX-License-Identifier: MIT
//
// What may be remembered, what becomes of it, and what stays away: the stage by itself, without an
// index.
#include "learn/bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace daybook::learn {
namespace {

using lineage::LearningKind;
using lineage::LearningStatus;
using lineage::MemoryType;
using lineage::Timestamp;

}  // namespace

TEST_CASE("What a person wants remembered is a note that counts at once") {
  Bench bench;
  NewLearning like;
  like.kind = LearningKind::procedure;
  like.category = "Release Work!";
  like.metadata = R"( {"source": "standup"} )";
  const auto change = bench.add("  Run the tide tests.\r\nThen tag. \n", like);
  REQUIRE(change.ok());
  REQUIRE(change->notes.size() == 1);
  const lineage::Learning& learning = change->notes.front().learning;
  CHECK(learning.content == "Run the tide tests.\nThen tag.");
  CHECK(learning.category == "release_work");
  CHECK(learning.metadata == R"({"source":"standup"})");
  CHECK(learning.status == LearningStatus::active);
  CHECK(learning.origin == lineage::LearningOrigin::person);
  CHECK(learning.created_at == bench.now);
  CHECK(change->paths == std::vector{change->notes.front().path});
  CHECK(list(bench.desk(), {}).value().front().learning == learning);
}

TEST_CASE("What agents learn counts at once, but their procedures wait for a person") {
  Bench bench;
  for (const LearningKind kind : {LearningKind::fact,
                                  LearningKind::preference,
                                  LearningKind::decision,
                                  LearningKind::episode}) {
    const auto change =
        bench.add("Something of the kind " + std::string(to_string(kind)), by_agent(kind));
    REQUIRE(change.ok());
    CHECK(change->notes.front().learning.status == LearningStatus::active);
    CHECK(change->notes.front().learning.origin == lineage::LearningOrigin::api);
  }
  const auto waits = bench.add("Deploy on Fridays.", by_agent(LearningKind::procedure));
  REQUIRE(waits.ok());
  const lineage::Learning& learning = waits->notes.front().learning;
  CHECK(learning.status == LearningStatus::provisional);
  CHECK(learning.tier == lineage::PublishTier::provisional);
  CHECK(bench.contents({{}, MemoryType::procedural, {}, false}).empty());
  const auto approved = approve(bench.desk(), {"", learning.id});
  REQUIRE(approved.ok());
  CHECK(approved->notes.front().learning.revision == 2);
  CHECK(bench.contents({{}, MemoryType::procedural, {}, false}).size() == 1);
  CHECK(approve(bench.desk(), {"", learning.id})->paths.empty());
  bench.config.learnings.agent_procedures_active = true;
  const auto at_once = bench.add("Tag on Mondays.", by_agent(LearningKind::procedure));
  CHECK(at_once->notes.front().learning.status == LearningStatus::active);
}

TEST_CASE("What cannot be taken is refused with its reason, and nothing is stored") {
  Bench bench;
  check_refused(bench.add(" \n\t "), "is empty");
  check_refused(bench.add("\xff\xfe"), "not UTF-8");
  check_refused(bench.add("\u200b\u2060\u00ad \u00a0"), "is empty");
  for (const char* control : {"\x01", "\x1b", "\x7f", "\xc2\x80", "\xc2\x9f"}) {
    check_refused(bench.add(std::string("Tides.") + control), "control character");
  }
  check_refused(bench.add(std::string("a\0b", 3)), "control character");
  check_refused(bench.add(std::string(1603, 'a')), "3 more than the 1600");
  check_refused(bench.add(std::string(1 << 20, 'a')), "far too much");
  check_refused(bench.add("password is hunter2"), "seems to hold a secret");
  NewLearning like;
  like.kind = LearningKind::procedure;
  check_refused(bench.add("Log in with client_secret=tide", like), "seems to hold a secret");
  like.metadata = "[1]";
  check_refused(bench.add("Fine.", like), "no JSON object");
  like.metadata = R"({"api_key": "tide"})";
  check_refused(bench.add("Fine.", like), "the metadata seems to hold a secret");
  like.metadata.clear();
  for (const char* key : {"AKIAIOSFODNN7EXAMPLE", "ghp_1234567890abcdefghijABCDEFGHIJ123456"}) {
    like.category = key;
    check_refused(bench.add("Fine.", like), "the category seems to hold a secret");
  }
  like.category.clear();
  like.agent_id = "a/b";
  check_refused(bench.add("Fine.", like), "no agent's id");
  like.agent_id = "default";
  like.expires_at = kNow;
  check_refused(bench.add("Fine.", like), "expired already");
  like.expires_at.reset();
  like.scope = {lineage::ScopeKind::project, "a\nb"};
  check_refused(bench.add("Fine.", like), "the project must be one line");
  like.scope.id = std::string(2000, 'a');
  check_refused(bench.add("Fine.", like), "the project");
  like.scope = {};
  bench.config.learnings.procedural.enabled = false;
  check_refused(bench.add("Fine.", like), "learnings.procedural.enabled is false");
  CHECK(bench.files() == 0);
  CHECK(bench.add(std::string(1598, 'a') + "\u00e9\u00e9").ok());
}

TEST_CASE("A text that the operator never wants stored is refused") {
  Bench bench;
  bench.write("vault/never.txt", "harbour-master-code\n");
  bench.config.capture.literals_file = "never.txt";
  check_refused(bench.add("Say harbour-master-code at the gate."), "(literal)");
  NewLearning like;
  like.category = "harbour-master-code";
  check_refused(bench.add("Say it at the gate.", like), "(literal)");
  bench.config.capture.literals_file = "gone.txt";
  CHECK_FALSE(bench.add("Anything at all.").ok());
  CHECK(bench.files() == 0);
}

TEST_CASE("What is known already is not stored twice") {
  Bench bench;
  const auto first = bench.add(kFerry);
  const auto again = bench.add(std::string("  ") + kFerry);
  REQUIRE(again.ok());
  CHECK(again->paths.empty());
  CHECK(again->notes.front().path == first->notes.front().path);
  NewLearning other;
  other.kind = LearningKind::preference;
  CHECK_FALSE(bench.add(kFerry, other)->paths.empty());
  other.kind = LearningKind::fact;
  other.scope = {lineage::ScopeKind::project, "/home/dev/tide"};
  CHECK_FALSE(bench.add(kFerry, other)->paths.empty());
  CHECK_FALSE(bench.add(kFerry, by_agent(LearningKind::fact, "other"))->paths.empty());
  CHECK(bench.files() == 4);
  REQUIRE(revoke(bench.desk(), {"default", first->notes.front().learning.id}, "wrong").ok());
  CHECK_FALSE(bench.add(kFerry)->paths.empty());
}

TEST_CASE("The oldest notes beyond the limit of their type are archived, never deleted") {
  Bench bench;
  bench.config.learnings.semantic.most = 3;
  NewLearning procedure;
  procedure.kind = LearningKind::procedure;
  REQUIRE(bench.add("An old procedure.", procedure).ok());
  REQUIRE(bench.add("An old fact of another agent.", by_agent(LearningKind::fact, "other")).ok());
  for (int i = 0; i < 3; ++i) {
    CHECK(bench.add("Fact " + std::to_string(i))->archived.empty());
  }
  const auto change = bench.add("Fact 3");
  REQUIRE(change.ok());
  REQUIRE(change->archived.size() == 1);
  CHECK(change->archived.front().learning.content == "Fact 0");
  CHECK(change->archived.front().learning.revision == 2);
  CHECK(change->paths.size() == 2);
  CHECK(bench.files() == 6);
  CHECK(bench.contents({"default", MemoryType::semantic, {}, false}) ==
        std::vector<std::string>{"Fact 3", "Fact 2", "Fact 1"});
  CHECK(bench.contents({"default", MemoryType::semantic, {}, true}).size() == 4);
  REQUIRE(approve(bench.desk(), {"default", change->archived.front().learning.id}).ok());
  CHECK(bench.contents({"default", MemoryType::semantic, {}, false}) ==
        std::vector<std::string>{"Fact 3", "Fact 2", "Fact 0"});
}

TEST_CASE("What agents note pushes out nothing that a person wrote") {
  Bench bench;
  bench.config.learnings.semantic.most = 3;
  for (const char* text : {"One of mine.", "Two of mine."}) {
    REQUIRE(bench.add(text).ok());
  }
  const NewLearning agents = by_agent(LearningKind::fact);
  REQUIRE(bench.add("One of the agent's.", agents).ok());
  const auto second = bench.add("Two of the agent's.", agents);
  REQUIRE(second.ok());
  REQUIRE(second->archived.size() == 1);
  CHECK(second->archived.front().learning.content == "One of the agent's.");
  REQUIRE(bench.add("Three of mine.").ok());
  CHECK(bench.contents() ==
        std::vector<std::string>{"Three of mine.", "Two of mine.", "One of mine."});
  const auto third = bench.add("Three of the agent's.", agents);
  REQUIRE(third.ok());
  CHECK(third->notes.front().learning.status == LearningStatus::archived);
  REQUIRE(bench.add("Four of mine.").ok());  // the oldest of a person's own only now
  CHECK(bench.contents() ==
        std::vector<std::string>{"Four of mine.", "Three of mine.", "Two of mine."});
}

TEST_CASE("No control character is stored, of any kind") {
  Bench bench;
  for (const char* said : {"The \u009b31mgauge.", "The\u0085 gauge.", "The \x07gauge."}) {
    CHECK_FALSE(bench.add(said).ok());
  }
  REQUIRE(bench.add("The gauge is copper\u00a0here.").ok());
  CHECK(bench.contents() == std::vector<std::string>{"The gauge is copper\u00a0here."});
  NewLearning scoped;
  scoped.scope = {lineage::ScopeKind::project, "/home/dev/\u009bx"};
  CHECK_FALSE(bench.add("The gauge.", scoped).ok());
  CHECK(storable_reason(bench.desk(), "stale\nstatus: x").value() == "stale status: x");
  CHECK_FALSE(storable_reason(bench.desk(), "stale\u009b").ok());
  CHECK_FALSE(storable_reason(bench.desk(), "password: hunter2xx").ok());
}

TEST_CASE("What is revoked stays, says why, and counts no longer in any copy") {
  Bench bench;
  const auto made = bench.add(kFerry);
  const Note note = made->notes.front();
  const std::string before = bench.read("vault/" + note.path);
  CHECK_FALSE(revoke(bench.desk(), {"", note.learning.id}, "  ").ok());
  CHECK_FALSE(revoke(bench.desk(), {"", note.learning.id}, "the password is hunter2").ok());
  const auto revoked = revoke(bench.desk(), {"", note.learning.id}, "the tool is gone");
  REQUIRE(revoked.ok());
  CHECK(revoked->paths.size() == 2);
  const lineage::Learning& learning = revoked->notes.front().learning;
  CHECK(learning.status == LearningStatus::revoked);
  CHECK(learning.revoked_reason == "the tool is gone");
  CHECK(bench.contents().empty());
  CHECK(revoke(bench.desk(), {"", note.learning.id}, "again")->paths.empty());
  CHECK_FALSE(approve(bench.desk(), {"", note.learning.id}).ok());
  bench.write("vault/" + note.path, before);
  CHECK(bench.contents({{}, {}, {}, true}).empty());
}

TEST_CASE("What was forgotten is gone and never comes back") {
  Bench bench;
  const auto made = bench.add(kFerry);
  REQUIRE(bench.add("Something else that stays.").ok());
  const Note note = made->notes.front();
  const std::string bytes = bench.read("vault/" + note.path);
  CHECK_FALSE(forget(bench.desk(), {"other", note.learning.id}, "stale").ok());
  CHECK_FALSE(forget(bench.desk(), {"", 12}, "stale").ok());
  CHECK_FALSE(forget(bench.desk(), {"", note.learning.id}, "token: tide").ok());
  CHECK(bench.contents().size() == 2);
  CHECK(what_forgetting_takes(bench.desk(), {"", note.learning.id}).value() ==
        std::vector{note.path});
  const auto forgotten = forget(bench.desk(), {"", note.learning.id}, "stale");
  REQUIRE(forgotten.ok());
  CHECK(bench.contents() == std::vector<std::string>{"Something else that stays."});
  REQUIRE(forgotten->paths.size() == 2);
  const std::string tombstone = bench.read("vault/" + forgotten->paths.back());
  CHECK(tombstone.find("ferry") == std::string::npos);
  CHECK(tombstone.find("scope: \"learning\"") != std::string::npos);
  check_refused(bench.add(kFerry), "forgotten on request");
  for (const std::string& path :
       {note.path,
        std::string("memory/learnings/77-other.md"),
        "memory/learnings/deep/down/" + note.path.substr(note.path.rfind('/') + 1),
        std::string("memory/learnings/renamed.md")}) {
    INFO(path);
    bench.write("vault/" + path, bytes);
    CHECK(bench.contents({{}, {}, {}, true}).size() == 1);
    std::filesystem::remove(bench.at("vault/" + path));
  }
  SECTION("nor when the tombstone's file is lost") {
    std::filesystem::remove(bench.at("vault/" + forgotten->paths.back()));
    bench.write("vault/" + note.path, bytes);
    CHECK(bench.contents().size() == 1);
  }
  SECTION("nor when state.db is lost") {
    for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
      std::filesystem::remove(bench.at(std::string("state/") + name));
    }
    bench.write("vault/" + note.path, bytes);
    CHECK(bench.contents().size() == 1);
  }
}

TEST_CASE("A note made by hand is known, changed and forgotten like any other") {
  Bench bench;
  bench.write("vault/memory/learnings/ideas/tide.md",
              "---\nlearning_kind: procedure\ntags: [a]\n---\n\nCheck the gauge first.\n");
  bench.write("vault/memory/learnings/broken.md",
              "---\nkind: learning\nlearning_kind: idea\n---\nx\n");
  bench.write("vault/memory/learnings/readme.md", "Just a text.\n");
  const auto notes = list(bench.desk(), {});
  REQUIRE(notes->size() == 1);
  const std::uint64_t id = notes->front().learning.id;
  REQUIRE(revoke(bench.desk(), {"", id}, "no gauge any more").ok());
  const std::string text = bench.read("vault/memory/learnings/ideas/tide.md");
  CHECK(text.find("tags: [a]\n") != std::string::npos);
  CHECK(text.find("revoked_reason: \"no gauge any more\"") != std::string::npos);
  REQUIRE(forget(bench.desk(), {"", id}, "clutter").ok());
  CHECK_FALSE(std::filesystem::exists(bench.at("vault/memory/learnings/ideas/tide.md")));
  CHECK(std::filesystem::exists(bench.at("vault/memory/learnings/readme.md")));
}

TEST_CASE("A note that is far too large is never told, and forgotten by its name") {
  Bench bench;
  const std::string path = "vault/memory/learnings/7-huge.md";
  bench.write(path, "---\nlearning_kind: fact\n---\n" + std::string(2 << 20, 'x'));
  CHECK(bench.contents().empty());
  CHECK(what_forgetting_takes(bench.desk(), {"", 7}).value() ==
        std::vector<std::string>{"memory/learnings/7-huge.md"});
  REQUIRE(forget(bench.desk(), {"", 7}, "clutter").ok());
  CHECK_FALSE(std::filesystem::exists(bench.at(path)));
  REQUIRE(bench.add("A fact to keep.").ok());
}

TEST_CASE("A note that nobody can read keeps no other from being forgotten, nor itself") {
  for (const char* text : {"no frontmatter", "---\n: [\n---\nx\n", "\xff\xfe"}) {
    Bench bench;
    const std::string broken = "vault/memory/learnings/9-broken.md";
    bench.write(broken, text);
    const auto fact = bench.add("A fact of the river.");
    REQUIRE(fact.ok());
    REQUIRE(forget(bench.desk(), {"", fact->notes.front().learning.id}, "clutter").ok());
    REQUIRE(bench.add(kFerry).ok());
    CHECK(bench.contents() == std::vector<std::string>{kFerry});
    REQUIRE(forget(bench.desk(), {"", 9}, "clutter").ok());
    CHECK_FALSE(std::filesystem::exists(bench.at(broken)));
  }
}

TEST_CASE("A note that nobody can tell is forgotten as what its frontmatter says, or not at all") {
  const std::string head = "---\nlearning_kind: fact\nagent_id: scribe\n";
  struct Broken {
    std::string name;
    std::string text;
    std::uint64_t id;
    std::string agent;
  };
  const std::string huge = std::string(2 << 20, 'x');
  const Broken broken =
      GENERATE_REF(Broken{"8-huge.md", head + "---\n" + huge, 8, "scribe"},
                   Broken{"5-bad.md", head + "---\n\xff\n", 5, "scribe"},
                   Broken{"6-bad.md", head + "learning_id: 99\n---\n\xff\n", 99, "scribe"},
                   Broken{"7-twice.md", head + "learning_id: 99\nlearning_id: 99\n---\nx\n", 7, ""},
                   Broken{"4-unread.md", "---\nagent_id: scribe\n: [\n---\nx\n", 4, ""});
  INFO(broken.name);
  Bench bench;
  const std::string path = "memory/learnings/" + broken.name;
  bench.write("vault/" + path, broken.text);
  if (!broken.agent.empty()) {
    CHECK_FALSE(what_forgetting_takes(bench.desk(), {"default", broken.id}).ok());
    CHECK_FALSE(forget(bench.desk(), {"default", broken.id}, "clutter").ok());
    CHECK(std::filesystem::exists(bench.at("vault/" + path)));
    CHECK(bench.files() == 1);  // no tombstone
  }
  const auto gone = forget(bench.desk(), {"", broken.id}, "clutter");
  REQUIRE(gone.ok());
  CHECK_FALSE(std::filesystem::exists(bench.at("vault/" + path)));
  REQUIRE(gone->paths.size() == 2);
  CHECK(gone->paths.front() == path);
  const std::string agent = broken.agent.empty() ? "default" : broken.agent;
  CHECK(bench.read("vault/" + gone->paths.back()).find("agent_id: \"" + agent + "\"") !=
        std::string::npos);
}

TEST_CASE("A note that is too large to be looked at is forgotten as what it begins with") {
  Bench bench;
  const std::string path = "vault/memory/learnings/3-endless.md";
  bench.write(path, "---\nlearning_kind: fact\nagent_id: scribe\n---\n");
  std::filesystem::resize_file(bench.at(path), (1ULL << 30U) + 1);  // with a hole
  REQUIRE(forget(bench.desk(), {"", 3}, "clutter").ok());
  CHECK_FALSE(std::filesystem::exists(bench.at(path)));
}

TEST_CASE("Clearing forgets one agent's notes of one type, and nothing else") {
  Bench bench;
  NewLearning procedure;
  procedure.kind = LearningKind::procedure;
  REQUIRE(bench.add("A procedure to keep.", procedure).ok());
  REQUIRE(bench.add("A fact to go.").ok());
  REQUIRE(bench.add("Another fact to go.").ok());
  REQUIRE(bench.add("A fact of another agent.", by_agent(LearningKind::fact, "other")).ok());
  const auto cleared = clear(bench.desk(), {"default", MemoryType::semantic, {}, true});
  REQUIRE(cleared.ok());
  CHECK(cleared->notes.size() == 2);
  CHECK(bench.contents() ==
        std::vector<std::string>{"A fact of another agent.", "A procedure to keep."});
}

TEST_CASE("Many that remember at once keep everything, and the same thing once") {
  Bench bench;
  constexpr int kThreads = 6;
  constexpr int kEach = 5;
  std::vector<std::thread> threads;
  std::vector<int> failures(kThreads, 0);
  const Desk desk = bench.desk();
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([&desk, &failures, number] {
      for (int i = 0; i < kEach; ++i) {
        NewLearning wanted;
        wanted.content = "Fact " + std::to_string(number) + " " + std::to_string(i);
        failures[static_cast<std::size_t>(number)] += remember(desk, wanted) ? 0 : 1;
        wanted.content = kFerry;
        failures[static_cast<std::size_t>(number)] += remember(desk, wanted) ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(std::count(failures.begin(), failures.end(), 0) == kThreads);
  CHECK(bench.contents().size() == kThreads * kEach + 1);
}

}  // namespace daybook::learn
