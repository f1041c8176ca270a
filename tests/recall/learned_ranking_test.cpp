// SPDX-License-Identifier: MIT
#include "daybook/recall/learned_ranking.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using daybook::index::LearningRow;
using daybook::lineage::Learning;
using daybook::lineage::LearningKind;
using daybook::lineage::LearningScope;
using daybook::lineage::LearningStatus;
using daybook::lineage::PublishTier;
using daybook::lineage::ScopeKind;
using daybook::lineage::Sensitivity;
using daybook::lineage::Timestamp;
using daybook::recall::asks_for_memory;
using daybook::recall::may_be_told;
using daybook::recall::rank_learnings;
using daybook::recall::SeenScopes;

LearningRow fact(std::uint64_t id,
                 std::string content,
                 ScopeKind scope = ScopeKind::workspace,
                 std::int64_t created = 0) {
  LearningRow row;
  row.learning.id = id;
  row.learning.content = std::move(content);
  row.learning.scope.kind = scope;
  row.learning.created_at = {created};
  return row;
}

std::string order(std::vector<LearningRow> learnings, std::string_view query) {
  std::string ids;
  for (const auto& ranked : rank_learnings(std::move(learnings), query)) {
    ids += std::to_string(ranked.row.learning.id);
  }
  return ids;
}

std::int64_t score(std::string content, std::string_view query) {
  const auto ranked = rank_learnings({fact(1, std::move(content))}, query);
  return ranked.empty() ? -1 : ranked.front().score;
}

}  // namespace

TEST_CASE("A learning is scored by its content: the question as a whole, and each of its words") {
  CHECK(score("The tide gauge is off.", "tide gauge") == 400 + 40 + 40);
  CHECK(score("A gauge for the tide.", "tide gauge") == 80);
  CHECK(score("The tide.", "tide tide") == 80);  // repeats count
  CHECK(score("the tide", "what is the tide") == 40);
  CHECK(score("La marée à Brest", "MARÉE") == 440);
  CHECK(score("anything", "tide") == -1);
  // Empty words say nothing, so this is an ordinary question that nothing answers.
  CHECK(score("what is it", "what is it") == -1);
}

TEST_CASE("When one learning answers the others are left out; when none does, so are all") {
  const std::vector<LearningRow> some{fact(1, "the heron"), fact(2, "the walrus")};
  CHECK(order(some, "heron") == "1");
  CHECK(order(some, "zeppelin").empty());
  CHECK(order(some, "what do you remember of zeppelins?") == "12");
  CHECK(order(some, "") == "12");
  CHECK(order(some, "  ") == "12");
}

TEST_CASE("What asks for memory itself is known by a word or a phrase") {
  for (const char* asking : {"Use your memory",
                             "MEMORIES?",
                             "ma mémoire",
                             "ta memoire",
                             "recall it",
                             "what was remembered",
                             "qu'as-tu appris",
                             "the learnings",
                             "load learned context",
                             "a durable learning"}) {
    INFO(asking);
    CHECK(asks_for_memory(asking));
  }
  CHECK_FALSE(asks_for_memory("memorandum of the durable, learned man"));
}

TEST_CASE("Equal answers come by scope, then the newest, then by id") {
  CHECK(order({fact(1, "tide", ScopeKind::workspace, 9),
               fact(2, "tide", ScopeKind::project, 1),
               fact(3, "tide", ScopeKind::session, 1),
               fact(4, "tide", ScopeKind::project, 2),
               fact(6, "tide", ScopeKind::workspace, 9),
               fact(5, "tide gauge", ScopeKind::workspace, 0)},
              "tide gauge") == "534216");
  CHECK(order({fact(1, "x", ScopeKind::workspace, 9), fact(2, "y", ScopeKind::session, 1)}, "") ==
        "21");
}

TEST_CASE("Only facts, preferences and decisions that are shown and seen may be told") {
  const Timestamp now{1000};
  const SeenScopes scopes{{"key-1", "id-1"}, "/home/dev/tidewater"};
  Learning learning;
  CHECK(may_be_told(learning, scopes, now));
  for (const auto kind : {LearningKind::procedure, LearningKind::episode}) {
    Learning other = learning;
    other.kind = kind;
    CHECK_FALSE(may_be_told(other, scopes, now));
  }
  for (const auto kind : {LearningKind::preference, LearningKind::decision}) {
    Learning other = learning;
    other.kind = kind;
    CHECK(may_be_told(other, scopes, now));
  }
  for (const auto status : {LearningStatus::provisional,
                            LearningStatus::superseded,
                            LearningStatus::revoked,
                            LearningStatus::archived}) {
    Learning other = learning;
    other.status = status;
    CHECK_FALSE(may_be_told(other, scopes, now));
  }
  Learning other = learning;
  other.tier = PublishTier::provisional;
  CHECK_FALSE(may_be_told(other, scopes, now));
  other = learning;
  other.sensitivity = Sensitivity::sensitive;
  CHECK_FALSE(may_be_told(other, scopes, now));
  other = learning;
  other.expires_at = Timestamp{1000};
  CHECK_FALSE(may_be_told(other, scopes, now));

  const auto sees = [&](ScopeKind kind, const std::string& id) {
    return scopes.sees(LearningScope{kind, id});
  };
  CHECK(sees(ScopeKind::session, "id-1"));
  CHECK_FALSE(sees(ScopeKind::session, "id"));
  CHECK(sees(ScopeKind::project, "/home/dev/tidewater"));
  CHECK(sees(ScopeKind::project, "tidewater"));
  CHECK_FALSE(sees(ScopeKind::project, "water"));
  CHECK_FALSE((SeenScopes{{}, {}}.sees({ScopeKind::project, ""})));
  CHECK_FALSE((SeenScopes{{}, {}}.sees({ScopeKind::session, ""})));
}

TEST_CASE("A learning answers by whole words, not by letters in others") {
  CHECK(score("Start the gauge by hand.", "art") == -1);
  CHECK(score("A category of its own.", "go") == -1);
  CHECK(score("The tide gauges are off.", "tide gauge") == 40);
  CHECK(score("Paint the art.", "art") == 440);
  CHECK(score("The art.", "art") == 440);
}

TEST_CASE("A word that says nothing makes no learning an answer, as for sessions") {
  for (const auto* const query : {"when did they have it", "où est-il", "which should he get"}) {
    INFO(query);
    CHECK(score("When they have time, which he should get, où est-il.", query) == -1);
  }
}

TEST_CASE("Accents decide nothing") {
  CHECK(score("A naïve café.", "cafe") == 440);
  CHECK(score("A naive cafe.", "CAFÉ") == 440);
  CHECK(score("A naïve cafe\u0301.", "café") == 440);
}
