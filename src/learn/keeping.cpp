// SPDX-License-Identifier: MIT
#include "learn/keeping.hpp"

#include "daybook/canon/learning_writer.hpp"

#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;
using lineage::LearningStatus;

constexpr int kMostAttempts = 8;

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

bool is_live(const Learning& learning, lineage::Timestamp now) {
  return !learning.is_expired(now) && (learning.status == LearningStatus::active ||
                                       learning.status == LearningStatus::provisional);
}

bool says_the_same(const Shelved& known, const Learning& wanted) {
  const Learning& learning = known.note.learning;
  return known.valid && is_live(learning, wanted.updated_at) &&
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

}  // namespace daybook::learn
