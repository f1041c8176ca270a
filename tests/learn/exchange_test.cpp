// SPDX-License-Identifier: MIT
//
// Exports that come back, imports of other programs, and the ids that their notes get.
#include "learn/bench.hpp"
#include "learn/shelf.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace daybook::learn {

using lineage::LearningKind;
using lineage::LearningStatus;
using lineage::MemoryType;
using lineage::Timestamp;

TEST_CASE("Each note of a large import has an id of its own") {
  constexpr std::size_t kMany = 600;  // of the 4,096 ids of one millisecond
  Bench bench;
  std::string json = "[";
  for (std::size_t i = 0; i < kMany; ++i) {
    json.append(i == 0 ? "" : ",").append(R"({"content": "Pier )" + std::to_string(i) + "\"}");
  }
  const auto taken = import(bench.desk(), "", json + "]", Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->written == kMany);
  std::set<std::uint64_t> ids;
  for (const Note& note : taken->change.notes) {
    ids.insert(note.learning.id);
  }
  CHECK(ids.size() == kMany);
  CHECK(bench.contents().size() == kMany);  // a list tells each id once
}

namespace {

/// What all notes of the vault say, in the order of their ids.
std::vector<lineage::Learning> learnings(const Bench& bench) {
  std::vector<lineage::Learning> all;
  const auto notes = list(bench.desk(), {{}, {}, {}, true});
  for (const Note& note : *notes) {
    all.push_back(note.learning);
  }
  std::sort(
      all.begin(), all.end(), [](const auto& one, const auto& other) { return one.id < other.id; });
  return all;
}

}  // namespace

TEST_CASE("What is exported and imported says all that it said, also why it was revoked") {
  Bench from;
  NewLearning like = by_agent(LearningKind::decision, "pilot");
  like.category = "Tides";
  like.metadata = R"({"n":3,"text":"a \"quoted\" one","nested":{"list":[1,[2.5,null]]}})";
  like.scope = {lineage::ScopeKind::project, "/home/me/tidewater"};
  like.sensitivity = lineage::Sensitivity::sensitive;
  like.expires_at = Timestamp{kNow.ms + 86'400'000};
  REQUIRE(from.add("Slack water\n\n- is told, too.", like).ok());
  REQUIRE(from.add("Wait for it.", by_agent(LearningKind::procedure)).ok());
  const auto moved = from.add(kFerry);
  from.now.ms += 3'600'000;
  REQUIRE(revoke(from.desk(), {"", moved->notes.front().learning.id}, "the ferry is gone").ok());
  from.write("vault/memory/learnings/7-by-hand.md",
             "---\nlearning_kind: episode\nstatus: revoked\nrevoked_reason: dull\nrevision: 5\n"
             "updated_at: 2026-02-01T00:00:00Z\n---\nBy hand.\n");
  Bench to;
  to.now.ms += 7'200'000;
  const auto exported = list(from.desk(), {{}, {}, {}, true}).value();
  REQUIRE(import(to.desk(), "", to_json(exported), Apply::yes)->written == 4);
  const auto before = learnings(from);
  CHECK(learnings(to) == before);
  CHECK(before.back().revision == 2);
  CHECK(before.back().revoked_reason == "the ferry is gone");
}

TEST_CASE("A reason that was written by hand is cut where it is imported, and the note is taken") {
  Bench from;
  const auto write = [&from](const std::string& name, const std::string& reason) {
    from.write("vault/memory/learnings/" + name,
               "---\nlearning_kind: fact\nstatus: revoked\nrevoked_reason: \"" + reason +
                   "\"\n---\nIn " + name + ".\n");
  };
  const auto repeated = [](std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
      text += "\xC3\xA4";  // of two bytes, as no cut may forget
    }
    return text;
  };
  write("5-longest.md", repeated(500));
  write("6-longer.md", repeated(501));
  write("7-long.md", repeated(10'000));
  const std::string json = to_json(list(from.desk(), {{}, {}, {}, true}).value());
  Bench to;
  const auto taken = import(to.desk(), "", json, Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->refused.empty());
  CHECK(taken->written == 3);
  for (const lineage::Learning& learning : learnings(to)) {
    CHECK(learning.revoked_reason == repeated(500));
  }
  CHECK(import(to.desk(), "", json, Apply::yes)->known == 3);
  SECTION("but none is cut before all of it was judged") {
    const std::string secret = R"([{"content": "Fine.", "status": "revoked", "revoked_reason": ")" +
                               repeated(600) + R"( password: hunter2xx"}])";
    CHECK(import(to.desk(), "", secret, Apply::yes)->refused.size() == 1);
  }
}

TEST_CASE("What a record tells of its history is judged, and may be left out") {
  Bench bench;
  const auto taken = [&bench](const std::string& fields) {
    return import(bench.desk(), "", R"([{"content": "Fine.", )" + fields + "}]", Apply::dry_run);
  };
  for (const char* wrong : {R"("updated_at": "yesterday")",
                            R"("revision": -1)",
                            R"("revision": 1.5)",
                            R"("revision": "2")",
                            R"("revision": 9007199254740992)",
                            R"("revoked_at": 7)",
                            R"("revoked_reason": ["x"])"}) {
    INFO(wrong);
    CHECK_FALSE(taken(wrong).ok());
  }
  const auto refused = taken(R"("status": "revoked", "revoked_reason": "password: hunter2xx")");
  REQUIRE(refused.ok());
  CHECK(refused->written == 0);
  CHECK(refused->refused ==
        std::vector<std::string>{"record 0: the reason seems to hold a secret (password), so "
                                 "nothing was stored"});
  CHECK(taken(R"("revision": null, "updated_at": null, "revoked_reason": null)")->written == 1);
  const auto plain = import(bench.desk(), "", R"([{"content": "Fine."}])", Apply::yes);
  REQUIRE(plain->written == 1);
  CHECK(learnings(bench).front().updated_at == bench.now);
  CHECK(learnings(bench).front().revision == 1);
}

TEST_CASE("An export is imported elsewhere with its ids, and twice makes nothing new") {
  Bench from;
  NewLearning like = by_agent(LearningKind::procedure);
  like.metadata = R"({"n":3,"text":"a \"quoted\" one"})";
  like.scope = {lineage::ScopeKind::session, "key-1"};
  like.expires_at = Timestamp{kNow.ms + 86'400'000};
  REQUIRE(from.add("Weigh the anchor, then cast off.", like).ok());
  REQUIRE(from.add(kFerry).ok());
  const auto notes = list(from.desk(), {{}, {}, {}, true}).value();
  Bench to;
  const auto dry = import(to.desk(), "", to_json(notes), Apply::dry_run);
  REQUIRE(dry.ok());
  CHECK(dry->written == 2);
  CHECK(to.files() == 0);
  const auto taken = import(to.desk(), "", to_json(notes), Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->written == 2);
  const auto copies = list(to.desk(), {{}, {}, {}, true}).value();
  REQUIRE(copies.size() == 2);
  CHECK(to_json(copies) == to_json(notes));
  const auto again = import(to.desk(), "", to_json(notes), Apply::yes);
  CHECK(again->written == 0);
  CHECK(again->known == 2);
  REQUIRE(forget(to.desk(), {"", copies.front().learning.id}, "stale").ok());
  const auto after = import(to.desk(), "", to_json(notes), Apply::yes);
  CHECK(after->written == 0);
  CHECK(after->forgotten == 1);
}

TEST_CASE("What an export leaves out is named, but no other agent's, no draft and no other type") {
  Bench bench;
  const std::string top = "memory/learnings/";
  const auto write = [&](const std::string& name, const std::string& fields) {
    bench.write("vault/" + top + name, "---\n" + fields + "---\nIn " + name + ".\n");
  };
  write("10-broken.md", "learning_kind: fact\n: [\n");
  write("11-copy (conflicted copy 2026-01-01).md", "learning_kind: fact\n");
  write("12-draft.md", "title: A draft\n");
  write("13-hers.md", "learning_kind: dreamt\nagent_id: hers\n");
  write("7-odd.md", "learning_kind: fact\nstatus: dreamt\n");
  bench.write("vault/" + top + "8-secret.md",
              "---\nlearning_kind: fact\n---\npassword: hunter2hunter2\n");
  write("9-a.md", "learning_kind: fact\n");
  write("9-b.md", "learning_kind: procedure\n");
  write("9-c.md", "learning_kind: fact\n");
  std::filesystem::create_directory(bench.at("vault/" + top + "folder.md"));
  Filter filter{"default", {}, {}, true};
  const auto all = what_exporting_takes(bench.desk(), filter);
  REQUIRE(all.ok());
  REQUIRE(all->notes.size() == 1);
  CHECK(all->notes.front().path == top + "9-a.md");
  CHECK(all->left_out == std::vector<std::string>{top + "10-broken.md",
                                                  top + "11-copy (conflicted copy 2026-01-01).md",
                                                  top + "7-odd.md",
                                                  top + "8-secret.md",
                                                  top + "9-b.md",
                                                  top + "9-c.md"});
  filter.type = MemoryType::semantic;
  const auto facts = what_exporting_takes(bench.desk(), filter);
  CHECK(facts->left_out.size() == 5);
  CHECK(what_exporting_takes(bench.desk(), {"", {}, {}, true})->left_out.size() == 7);
}

TEST_CASE("What InitRunner exports is taken; what cannot be understood stops it at its beginning") {
  Bench bench;
  const auto taken = import(bench.desk(),
                            "pilot",
                            R"([
    {"id": 1, "content": "Tides are told in UTC.", "category": "time", "memory_type": "semantic",
     "created_at": "2025-12-01T10:00:00.123456+00:00", "metadata": null},
    {"id": 2, "content": "  ", "category": "time", "memory_type": "semantic", "metadata": null},
    {"id": 3, "content": "Ran the tide job.", "category": "daemon_run", "memory_type": "episodic",
     "created_at": "2025-12-02T10:00:00+00:00", "metadata": {"trigger_type": "cron"}},
    {"id": 4, "content": "password is hunter2", "memory_type": "semantic"},
    {"id": 5, "content": "Weigh first.", "category": "a", "memory_type": "procedural"}])",
                            Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->written == 3);
  CHECK(taken->blank == 1);
  REQUIRE(taken->refused.size() == 1);
  CHECK(taken->refused.front().starts_with("record 3: "));
  const auto notes = list(bench.desk(), {"pilot", {}, {}, false}).value();
  REQUIRE(notes.size() == 3);
  CHECK(notes.back().learning.id > 5);
  CHECK(notes.back().learning.created_at ==
        lineage::parse_timestamp("2025-12-01T10:00:00.123Z").value());
  const std::size_t files = bench.files();
  for (const char* json : {R"([{"content": "Fine."}, {"content": "x", "memory_type": "dream"}])",
                           R"([{"content": "Fine."}, 7])",
                           R"([{"content": "Fine.", "created_at": "yesterday"}])",
                           R"([{"content": "Fine.", "id": "seven"}])",
                           R"({"content": "Fine."})",
                           "[",
                           ""}) {
    INFO(json);
    const auto refused = import(bench.desk(), "", json, Apply::yes);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::usage);
  }
  CHECK(bench.files() == files);
  CHECK_FALSE(import(bench.desk(), "", std::string(100'000, '['), Apply::yes).ok());
}

TEST_CASE("Metadata that is as deep as it may be comes back, and what is deeper is named") {
  Bench from;
  const auto nested = [](std::size_t levels) {
    return R"({"a":)" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  const auto write = [&from](const std::string& name, const std::string& metadata) {
    from.write("vault/memory/learnings/" + name,
               "---\nlearning_kind: fact\nmetadata: '" + metadata + "'\n---\nIn " + name + ".\n");
  };
  write("7-deepest.md", nested(lineage::kDeepestMetadata));
  write("8-deeper.md", nested(lineage::kDeepestMetadata + 1));
  write("9-deep.md", nested(8000));
  write("10-no-json.md", "{from: standup}");
  const auto exporting = what_exporting_takes(from.desk(), {{}, {}, {}, true});
  REQUIRE(exporting->notes.size() == 1);
  CHECK(exporting->left_out.size() == 3);
  const std::string json = to_json(exporting->notes);
  CHECK(json.size() < 10'000);
  Bench to;
  REQUIRE(import(to.desk(), "", json, Apply::yes)->written == 1);
  CHECK(learnings(to) == learnings(from));
  NewLearning like;
  like.metadata = nested(lineage::kDeepestMetadata);
  CHECK(to.add("As deep as it may be.", like).ok());
  like.metadata = nested(lineage::kDeepestMetadata + 1);
  check_refused(to.add("Too deep.", like), "no JSON object");
}

TEST_CASE("An object with more members than any metadata has room for is not read to its end") {
  Bench bench;
  const auto with_members = [](std::size_t count) {
    std::string json = R"([{"content": "Fine.", "metadata": {)";
    for (std::size_t i = 0; i < count; ++i) {
      json.append(i == 0 ? "\"" : ",\"").append(std::to_string(i)).append("\":1");
    }
    return json + "}}]";
  };
  CHECK(import(bench.desk(), "", with_members(1500), Apply::dry_run)->written == 1);
  const auto refused = import(bench.desk(), "", with_members(100'000), Apply::dry_run);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::usage);
  CHECK(refused.error().message.find("more than 3000 members") != std::string::npos);
}

TEST_CASE("A new id is none that an import has brought") {
  Bench bench;
  auto shelf = Shelf::open(bench.desk());
  REQUIRE(shelf.ok());
  for (std::uint32_t bits = 0; bits < 4096; ++bits) {
    REQUIRE(shelf->take_id(lineage::learning_id(bench.now, bits)));
  }
  CHECK_FALSE(shelf->take_id(lineage::learning_id(bench.now, 7)));
  const auto id = shelf->new_id("default");
  REQUIRE(id);
  CHECK(*id > lineage::learning_id(bench.now, 4095));
}

TEST_CASE("What an import brings stays, but for what has no free name") {
  Bench bench;
  const auto record = [](int id, const std::string& content) {
    return R"({"id": )" + std::to_string(id) + R"(, "learning_kind": "fact", "content": ")" +
           content + "\"}";
  };
  bench.make_folder("vault/" + lineage::learning_path(22, "The second pier."));
  const auto taken =
      import(bench.desk(),
             "",
             "[" + record(21, "The first pier.") + "," + record(22, "The second pier.") + "," +
                 record(23, "The third pier.") + "]",
             Apply::yes);
  REQUIRE(taken.ok());
  CHECK(taken->written == 3);
  CHECK(bench.contents().size() == 3);
  CHECK(std::none_of(taken->change.notes.begin(), taken->change.notes.end(), [](const Note& note) {
    return note.learning.id == 22;
  }));
}

}  // namespace daybook::learn
