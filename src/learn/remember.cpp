// SPDX-License-Identifier: MIT
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
  const auto known = std::find_if(alike.begin(), alike.end(), [&](const Shelved& shelved) {
    return says_the_same(shelved, learning);
  });
  if (known != alike.end()) {
    change.notes.push_back(known->note);
    return change;
  }
  TRY(keep(desk, shelf, {std::move(learning)}, change));
  TRY(archive_surplus(desk, wanted.agent_id, lineage::memory_type_of(wanted.kind), change));
  Note& made = change.notes.front();
  for (const Note& archived : change.archived) {
    if (archived.path == made.path) {
      made = archived;  // a person's notes have taken all the room
    }
  }
  return change;
}

}  // namespace daybook::learn
