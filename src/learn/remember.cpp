// SPDX-License-Identifier: MIT
#include "daybook/canon/learning_writer.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "learn/agent_names.hpp"
#include "learn/archive.hpp"
#include "learn/judgement.hpp"
#include "learn/keeping.hpp"

#include <algorithm>
#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;
using lineage::LearningStatus;

constexpr int kMostAttempts = 8;

Result<void> check_wish(const Desk& desk, const NewLearning& wanted) {
  if (!lineage::is_valid_agent_id(wanted.agent_id)) {
    return Error{ErrorKind::usage,
                 "this is no agent's id: it takes 1 to 64 of letters, digits, '.', '_' and '-'",
                 {},
                 {}};
  }
  TRY_ASSIGN(auto names, AgentNames::known(desk));
  TRY(names.check(wanted.agent_id));
  const lineage::MemoryType type = lineage::memory_type_of(wanted.kind);
  if (!limit_of(desk.config, type).enabled) {
    return Error{ErrorKind::usage,
                 std::string(to_string(type)) +
                     " memories are turned off here: " + section_of(type) + ".enabled is false",
                 std::string(parse::kConfigFile),
                 "Set it to true to have them remembered."};
  }
  if (wanted.expires_at && *wanted.expires_at <= desk.now) {
    return Error{ErrorKind::usage,
                 "it would have expired already, at " + lineage::to_string(*wanted.expires_at),
                 {},
                 {}};
  }
  return {};
}

Result<Learning> judged(const Desk& desk, const NewLearning& wanted) {
  TRY(check_wish(desk, wanted));
  TRY_ASSIGN(const auto literals, literals_of(desk));
  Learning learning;
  TRY_ASSIGN(learning.content, fair_content(wanted.content, literals));
  TRY_ASSIGN(learning.metadata, fair_metadata(wanted.metadata, literals));
  TRY_ASSIGN(learning.category, fair_category(wanted.category, literals));
  TRY(fair_scope(wanted.scope, literals));
  learning.agent_id = wanted.agent_id;
  learning.kind = wanted.kind;
  learning.scope = wanted.scope;
  learning.sensitivity = wanted.sensitivity;
  learning.created_at = desk.now;
  learning.updated_at = desk.now;
  learning.expires_at = wanted.expires_at;
  set_standing(learning, wanted.actor, desk.config);
  return learning;
}

Error no_id() {
  return {ErrorKind::busy, "no free id was found for what is to be remembered", {}, "Try again."};
}

Result<void> give_id(Shelf& shelf, Learning& learning) {
  if (learning.id == 0) {
    const auto id = shelf.new_id(learning.agent_id);
    if (!id) {
      return no_id();
    }
    learning.id = *id;
  }
  return {};
}

}  // namespace

Error forgotten_error() {
  return {ErrorKind::usage,
          "this was forgotten on request, and stays away",
          {},
          "'daybook unremove TOKEN' lifts that; the token is in the name of the tombstone."};
}

void set_standing(Learning& learning, Actor actor, const parse::Config& config) {
  const bool waits = actor == Actor::agent && learning.kind == lineage::LearningKind::procedure &&
                     !config.learnings.agent_procedures_active;
  learning.origin =
      actor == Actor::person ? lineage::LearningOrigin::person : lineage::LearningOrigin::api;
  learning.status = waits ? LearningStatus::provisional : LearningStatus::active;
  learning.tier = waits ? lineage::PublishTier::provisional : lineage::PublishTier::active;
}

Result<canon::SessionLock> lock_agent(const Desk& desk, const std::string& agent_id) {
  return canon::SessionLock::take(
      desk.folder.file("locks"), lineage::SessionToken::derive(agent_id, "learnings"), desk.wait);
}

bool says_the_same(const Shelved& known, const Learning& wanted) {
  const Learning& learning = known.note.learning;
  const bool lives =
      learning.status == LearningStatus::active || learning.status == LearningStatus::provisional;
  return known.valid && lives && !learning.is_expired(wanted.updated_at) &&
         learning.agent_id == wanted.agent_id && learning.kind == wanted.kind &&
         learning.scope == wanted.scope && learning.content == wanted.content;
}

Result<void> keep(const Desk& desk, Shelf& shelf, std::vector<Learning> learnings, Change& change) {
  for (int attempt = 0; attempt < kMostAttempts && !learnings.empty(); ++attempt) {
    for (Learning& learning : learnings) {
      TRY(give_id(shelf, learning));
    }
    TRY_ASSIGN(auto outcomes,
               canon::write_learnings(desk.disk, desk.folder.workspace(), learnings));
    learnings.clear();
    for (canon::LearningOutcome& outcome : outcomes) {
      if (outcome.write == canon::LearningWrite::name_taken) {
        // Somebody else's note of this very moment, or a synchroniser's.
        outcome.learning.id = 0;
        learnings.push_back(std::move(outcome.learning));
        continue;
      }
      change.paths.push_back(outcome.path);
      change.notes.push_back({std::move(outcome.path), std::move(outcome.learning)});
    }
  }
  return learnings.empty() ? Result<void>() : no_id();
}

Result<Change> remember(const Desk& desk, const NewLearning& wanted) {
  TRY_ASSIGN(Learning learning, judged(desk, wanted));
  TRY_ASSIGN(const auto lock, lock_agent(desk, learning.agent_id));
  Change change;
  TRY_ASSIGN(Shelf shelf, Shelf::open(desk));
  if (is_forgotten(shelf.removals(), learning.agent_id, 0, learning.content)) {
    return forgotten_error();
  }
  TRY_ASSIGN(const auto alike, shelf.read_alike(learning.content));
  const auto known = std::find_if(alike.begin(), alike.end(), [&](const Shelved& shelved) {
    return says_the_same(shelved, learning);
  });
  if (known != alike.end()) {
    change.notes.push_back(known->note);
    return change;
  }
  TRY(keep(desk, shelf, {std::move(learning)}, change));
  TRY(archive_surplus(desk, wanted.agent_id, lineage::memory_type_of(wanted.kind), change));
  return change;
}

}  // namespace daybook::learn
