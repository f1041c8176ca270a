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
  TRY_ASSIGN(learning.content, storable_content(wanted.content, literals));
  TRY_ASSIGN(learning.metadata, storable_metadata(wanted.metadata, literals));
  TRY_ASSIGN(learning.category, storable_category(wanted.category, literals));
  TRY(storable_scope(wanted.scope, literals));
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

/// A note that says it already takes over what must not be lost: that it is sensitive, and that a
/// person says so. What else differs is only named: it may be right as it is.
Result<void> adapt(const Desk& desk,
                   const Shelved& known,
                   const NewLearning& wish,
                   const Learning& wanted,
                   Change& change) {
  const bool hide = wanted.sensitivity == lineage::Sensitivity::sensitive;
  const auto edit = [&](const Learning& there) -> Result<std::optional<canon::LearningEdit>> {
    const bool approve = wish.actor == Actor::person && there.status == LearningStatus::provisional;
    if (!approve && !(hide && there.sensitivity != wanted.sensitivity)) {
      return std::optional<canon::LearningEdit>();
    }
    return std::optional(
        canon::LearningEdit{approve ? LearningStatus::active : there.status,
                            approve ? lineage::PublishTier::active : there.tier,
                            std::nullopt,
                            {},
                            hide ? std::optional(wanted.sensitivity) : std::nullopt});
  };
  TRY_ASSIGN(
      auto done,
      canon::update_learning(desk.disk,
                             {desk.folder.workspace(), known.note.path, desk.folder.file("locks")},
                             wanted.agent_id,
                             known.note.learning.id,
                             desk.now,
                             edit));
  if (done.write == canon::LearningWrite::written) {
    change.paths.push_back(done.path);
  }
  const Learning& there = done.learning;
  if (change.notes.empty()) {
    const auto differs = [&change](bool different, const char* field) {
      if (different) {
        change.not_changed.emplace_back(field);
      }
    };
    differs(there.expires_at != wanted.expires_at, "expires_at");
    differs(!wish.category.empty() && there.category != wanted.category, "category");
    differs(!wanted.metadata.empty() && there.metadata != wanted.metadata, "metadata");
  }
  change.notes.push_back({done.path, std::move(done.learning)});
  return {};
}

/// Whatever keeps the note from counting besides: that a person has revoked it is meant for what it
/// says.
bool was_revoked(const Shelf& shelf, const Shelved& known, const Learning& wanted) {
  const Learning& learning = known.note.learning;
  return known.sort == Sort::note && learning.agent_id == wanted.agent_id &&
         learning.kind == wanted.kind && learning.content == wanted.content &&
         (learning.status == LearningStatus::revoked ||
          shelf.removals().revokes_learning(learning.id, learning.agent_id));
}

/// What turned out wrong must not count again because an agent says it once more.
void let_it_wait(Learning& learning, Change& change) {
  learning.status = LearningStatus::provisional;
  learning.tier = lineage::PublishTier::provisional;
  change.revoked_before = true;
}

}  // namespace

Result<Change> remember(const Desk& desk, const NewLearning& wanted) {
  TRY_ASSIGN(Learning learning, judged(desk, wanted));
  TRY_ASSIGN(const auto lock, lock_agent(desk, learning.agent_id));
  Change change;
  TRY_ASSIGN(Shelf shelf, Shelf::open(desk));
  if (is_forgotten(shelf.removals(), learning.agent_id, 0, learning.content)) {
    return forgotten_error();
  }
  TRY_ASSIGN(const auto alike, shelf.read_alike(learning.content));
  for (const Shelved& shelved : alike) {
    if (says_the_same(shelved, learning)) {
      TRY(adapt(desk, shelved, wanted, learning, change));
    }
  }
  const lineage::MemoryType type = lineage::memory_type_of(wanted.kind);
  if (!change.notes.empty()) {
    if (!change.paths.empty()) {
      archive_surplus(desk, wanted.agent_id, type, {change.notes.front().path}, change);
    }
    return change;
  }
  const bool revoked = std::any_of(alike.begin(), alike.end(), [&](const Shelved& known) {
    return was_revoked(shelf, known, learning);
  });
  if (revoked && wanted.actor == Actor::agent) {
    let_it_wait(learning, change);
  }
  TRY(keep(desk, shelf, {std::move(learning)}, change));
  archive_surplus(desk, wanted.agent_id, type, {}, change);
  Note& made = change.notes.front();
  for (const Note& archived : change.archived) {
    if (archived.path == made.path) {
      made = archived;  // a person's notes have taken all the room
    }
  }
  return change;
}

}  // namespace daybook::learn
