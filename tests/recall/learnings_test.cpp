// SPDX-License-Identifier: MIT
#include "daybook/lineage/artifact.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/state/tombstone_copies.hpp"
#include "support/indexed_vault.hpp"
#include "support/learning_note.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using daybook::lineage::MemoryType;
using daybook::recall::Learned;
using daybook::recall::RecallReport;
using daybook::recall::RecallRequest;
using daybook::support::IndexedVault;
using daybook::support::LearningNote;
using daybook::support::SessionFiles;
using Texts = std::vector<std::string>;

class Vault : public IndexedVault {
 public:
  void learn(std::uint64_t id,
             const std::string& content,
             std::map<std::string, std::string> fields = {{"learning_kind", "fact"}}) const {
    LearningNote note{id, content, std::move(fields)};
    note.fields.emplace("created_at", "2026-03-20T10:00:00.000Z");
    std::filesystem::create_directories(at("memory/learnings"));
    write(note.path(), note.text());
  }

  void meet(const std::string& key,
            const std::string& word,
            const std::string& agent = "default") const {
    SessionFiles files(agent, key, "2026-03-20T10:00:00.000Z", "id-" + key);
    files.summary.body = "# About the " + word + "\n\nThe " + word + " was seen in src/a.cpp.\n";
    add(files);
  }

  RecallReport ask(const std::string& question, RecallRequest request = {}) const {
    request.query = question;
    request.now = {clock().now_ms()};
    request.learned = Learned::included;
    auto report = daybook::recall::recall(daybook::base::real_disk(), folder(), {}, request);
    REQUIRE(report);
    return std::move(report).value();
  }

  /// `learning ID` or `session KEY`, best first.
  Texts answers(const std::string& question, const RecallRequest& request = {}) const {
    Texts found;
    for (const auto& result : ask(question, request).results) {
      found.push_back(result.learning ? "learning " + std::to_string(result.learning->learning.id)
                                      : "session " + result.session.session_key);
    }
    return found;
  }
};

RecallRequest of_types(std::vector<MemoryType> types) {
  RecallRequest request;
  request.types = std::move(types);
  return request;
}

}  // namespace

TEST_CASE("Sessions and what was learned answer in one ranking") {
  Vault vault;
  vault.meet("heron", "heron");
  vault.meet("walrus", "walrus");
  vault.learn(1, "The walrus sleeps at noon; walruses bite.");
  vault.learn(2,
              "Cormorants are counted at low water.",
              {{"learning_kind", "procedure"}, {"category", "field"}});
  vault.reindex();
  CHECK(vault.answers("how are cormorants counted") == Texts{"learning 2"});
  const Texts both = vault.answers("what about the walrus");
  CHECK(both.size() == 2);
  const RecallReport report = vault.ask("counting a cormorant");
  REQUIRE(report.results.size() == 1);
  const auto& result = report.results[0];
  CHECK(result.learning->learning.category == "field");
  CHECK(result.learning->learning.content == "Cormorants are counted at low water.");
  CHECK(result.note.path() == "memory/learnings/2-note.md");
  CHECK(result.why.terms == Texts{"counting", "cormorant"});
  CHECK(result.score > 0.9);
  CHECK(result.snippet.text.find("Cormorants") != std::string::npos);
}

TEST_CASE("A rare word makes the better answer, whichever list it stands in") {
  Vault vault;
  for (int i = 0; i < 8; ++i) {
    vault.meet("key-" + std::to_string(i), "gauge");
    vault.learn(static_cast<std::uint64_t>(10 + i),
                "The gauge has number " + std::to_string(i) + ".");
  }
  vault.learn(1, "The gauge of the weir is made of copper.");
  vault.meet("sluice", "sluice gauge");
  vault.reindex();
  CHECK(vault.answers("copper gauge").front() == "learning 1");
  CHECK(vault.answers("sluice gauge").front() == "session sluice");
}

TEST_CASE("Only what may be told is recalled, to its agent and in its project") {
  Vault vault;
  vault.learn(1, "The gauge is copper.");
  vault.learn(2, "The gauge is secret.", {{"learning_kind", "fact"}, {"sensitivity", "sensitive"}});
  vault.learn(
      3, "The gauge is provisional.", {{"learning_kind", "procedure"}, {"status", "provisional"}});
  vault.learn(4, "The gauge is revoked.", {{"learning_kind", "fact"}, {"status", "revoked"}});
  vault.learn(
      5, "The gauge is over.", {{"learning_kind", "fact"}, {"expires_at", "2026-03-29T00:00:00Z"}});
  vault.learn(
      6, "The gauge of a session.", {{"learning_kind", "fact"}, {"scope", "\"session:x\""}});
  vault.learn(7,
              "The gauge of a project.",
              {{"learning_kind", "fact"}, {"scope", "\"project:/home/me/weir\""}});
  vault.learn(8, "Her gauge.", {{"learning_kind", "fact"}, {"agent_id", "scribe"}});
  vault.reindex();
  const auto sorted = [](Texts texts) {
    std::sort(texts.begin(), texts.end());
    return texts;
  };
  RecallRequest request;
  request.agent = "default";
  CHECK(sorted(vault.answers("gauge", request)) == Texts{"learning 1", "learning 7"});
  request.project = "weir";
  CHECK(sorted(vault.answers("gauge", request)) == Texts{"learning 1", "learning 7"});
  request.project = "other";
  CHECK(vault.answers("gauge", request) == Texts{"learning 1"});
  request = {};
  request.agent = "scribe";
  CHECK(vault.answers("gauge", request) == Texts{"learning 8"});
}

TEST_CASE("Types tell which memories are asked for") {
  Vault vault;
  for (int i = 0; i < 80; ++i) {
    vault.meet("key-" + std::to_string(i), "gauge gauge");
  }
  vault.learn(1, "Of all that stands at the river and is looked after, also one gauge.");
  vault.learn(2, "Read a gauge at low water.", {{"learning_kind", "procedure"}});
  vault.learn(3, "Saw a gauge fall over.", {{"learning_kind", "episode"}});
  vault.reindex();
  CHECK(vault.answers("gauge", of_types({MemoryType::semantic})) == Texts{"learning 1"});
  CHECK(vault.answers("gauge", of_types({MemoryType::procedural})) == Texts{"learning 2"});
  RecallRequest episodic = of_types({MemoryType::episodic});
  episodic.top_k = 100;
  const Texts episodes = vault.answers("gauge", episodic);
  CHECK(episodes.size() == 81);
  RecallRequest summaries;
  summaries.kinds = {daybook::lineage::Kind::summary};
  summaries.top_k = 100;
  CHECK(vault.answers("gauge", summaries).size() == 80);
}

TEST_CASE("What was learned is scored alike, whether sessions are asked for or not") {
  Vault vault;
  for (int i = 0; i < 5; ++i) {
    vault.meet("key-" + std::to_string(i), "gauge");
  }
  vault.learn(1, "One gauge is copper.");
  vault.learn(2, "A gauge beside another gauge.");
  vault.reindex();
  const auto scores = [&vault](const RecallRequest& request) {
    std::map<std::uint64_t, double> found;
    for (const auto& result : vault.ask("copper gauge of tidewater", request).results) {
      if (result.learning) {
        found.emplace(result.learning->learning.id, result.why.text_score);
      }
    }
    return found;
  };
  RecallRequest all;
  all.top_k = 100;
  const auto beside_sessions = scores(all);
  CHECK(beside_sessions.size() == 2);
  CHECK(scores(of_types({MemoryType::semantic})) == beside_sessions);
}

TEST_CASE("What was learned is told without literals, in its content too, and with its names") {
  Vault vault;
  vault.learn(1, "The walrus of jo@example.org is called\nWintermute.");
  vault.reindex();
  daybook::redact::Policy policy;
  policy.literals = {"Wintermute"};
  RecallRequest request;
  request.redaction = &policy;
  const RecallReport report = vault.ask("walrus", request);
  REQUIRE(report.results.size() == 1);
  const std::string content = report.results[0].learning->learning.content;
  CHECK(content.starts_with("The walrus of "));
  CHECK_FALSE(content.ends_with("\n"));
  CHECK_THAT(content, Catch::Contains("jo@example.org") && !Catch::Contains("Wintermute"));
  CHECK(vault.ask("walrus").results[0].learning->learning.content ==
        "The walrus of jo@example.org is called\nWintermute.");
}

TEST_CASE("However much noise answers better, it takes no memory's place") {
  Vault vault;
  for (int i = 0; i < 80; ++i) {
    SessionFiles files("default", "noise-" + std::to_string(i), "2026-03-20T10:00:00.000Z");
    files.set_everywhere("project", "\"/tmp/scratch\"");
    files.summary.body = "Gauge gauge gauge.\n";
    vault.add(files);
  }
  vault.meet("river", "river, at the far end of which there is also one gauge,");
  vault.reindex();
  RecallRequest request;
  request.query = "gauge";
  request.now = {vault.clock().now_ms()};
  const auto report = daybook::recall::recall(
      daybook::base::real_disk(), vault.folder(), {"/tmp/scratch"}, request);
  REQUIRE(report);
  REQUIRE(report->results.size() == 1);
  CHECK(report->results[0].session.session_key == "river");
}

TEST_CASE("A note that was deleted is recalled no more, at once; one that changed is named") {
  Vault vault;
  vault.learn(1, "The walrus sleeps at noon.");
  vault.learn(2, "Walruses bite.");
  vault.reindex();
  vault.unlink("memory/learnings/1-note.md");
  vault.learn(2, "Walruses do not bite.");
  const RecallReport report = vault.ask("walrus");
  CHECK(report.results.empty());
  CHECK(report.changed.size() == 2);
  CHECK(report.known_stale());
}

TEST_CASE("Without being asked for, what was learned is no answer") {
  Vault vault;
  vault.learn(1, "The walrus sleeps at noon.");
  vault.reindex();
  RecallRequest request;
  request.query = "walrus";
  request.now = {vault.clock().now_ms()};
  const auto report =
      daybook::recall::recall(daybook::base::real_disk(), vault.folder(), {}, request);
  REQUIRE(report);
  CHECK(report->results.empty());
}

TEST_CASE("On behalf of a session what was learned in its scopes answers, and no other") {
  Vault vault;
  SessionFiles files("default", "key", "2026-03-20T10:00:00.000Z");
  files.set_everywhere("project", "\"/home/dev/tidewater\"");
  vault.add(files);
  vault.learn(1, "The walrus of all.");
  vault.learn(
      2, "The walrus of the session.", {{"learning_kind", "fact"}, {"scope", "session:key"}});
  vault.learn(3,
              "The walrus of the project.",
              {{"learning_kind", "procedure"}, {"scope", "project:/home/dev/tidewater"}});
  vault.learn(4,
              "The walrus of another project.",
              {{"learning_kind", "fact"}, {"scope", "project:/home/dev/quillmark"}});
  vault.learn(5, "The walrus of another.", {{"learning_kind", "fact"}, {"scope", "session:else"}});
  vault.reindex();
  const auto seen_by = [&vault](const std::string& name, const std::string& project = {}) {
    RecallRequest request;
    request.agent = "default";
    request.project = project;
    auto index = daybook::recall::OpenIndex::open(vault.folder());
    REQUIRE(index);
    const auto called = daybook::recall::session_called(index->reader, name, "default");
    REQUIRE(called);
    request.behalf = daybook::recall::behalf_of(
        *called, name, "default", daybook::state::SearchVisibility::session_only);
    Texts answers = vault.answers("walrus", request);
    std::sort(answers.begin(), answers.end());
    return answers;
  };
  CHECK(seen_by("key") == Texts{"learning 1", "learning 2", "learning 3"});
  CHECK(seen_by("key", "tidewater") == Texts{"learning 1", "learning 2", "learning 3"});
  CHECK(seen_by("key", "quillmark") == Texts{"learning 1", "learning 2"});  // nor another's own
  CHECK(seen_by("else") == Texts{"learning 1", "learning 5"});
}

TEST_CASE("What is known to be forgotten or revoked is no answer, though its row is still there") {
  for (const auto scope :
       {daybook::lineage::TombstoneScope::learning, daybook::lineage::TombstoneScope::revocation}) {
    Vault vault;
    vault.learn(1, "The walrus sleeps at noon.");
    vault.learn(2, "Walruses bite.");
    vault.reindex();
    daybook::lineage::Tombstone gone;
    gone.agent_id = "default";
    gone.token = daybook::lineage::learning_token("default", 1);
    gone.learning_id = 1;
    gone.removed_at = {1};
    gone.scope = scope;
    auto state = vault.open_state();
    REQUIRE(state.tombstones().put(gone));
    CHECK(vault.answers("walrus") == Texts{"learning 2"});
  }
}

TEST_CASE("Rows are not older than the full text that was searched") {
  Vault vault;
  vault.meet("heron", "heron");
  vault.learn(1, "The heron sleeps at noon.");
  vault.reindex();
  auto index = daybook::recall::OpenIndex::open(vault.folder());
  REQUIRE(index);
  // A snapshot begins, and others go on.
  REQUIRE(index->reader.count_sessions());
  vault.meet("walrus", "walrus");
  vault.learn(1, "The heron sleeps all day long.");
  vault.reindex();
  RecallRequest request;
  request.query = "walrus";
  request.now = {vault.clock().now_ms()};
  request.learned = Learned::included;
  const auto question =
      daybook::recall::prepare_question(daybook::base::real_disk(), vault.folder(), request);
  REQUIRE(question);
  const auto report = daybook::recall::recall(
      daybook::base::real_disk(), vault.folder(), {}, request, *question, *index);
  REQUIRE(report);
  REQUIRE(report->results.size() == 1);
  CHECK(report->results[0].session.session_key == "walrus");
}
