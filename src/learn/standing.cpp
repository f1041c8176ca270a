// SPDX-License-Identifier: MIT
#include "daybook/base/printable.hpp"
#include "daybook/canon/learning_writer.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"
#include "learn/archive.hpp"
#include "learn/judgement.hpp"
#include "learn/keeping.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;
using lineage::LearningStatus;
using lineage::PublishTier;
using lineage::Tombstone;
using lineage::TombstoneScope;

Error unknown(std::uint64_t id) {
  return {ErrorKind::not_found,
          "no note has the id " + std::to_string(id),
          {},
          "'daybook learnings list --all' names those that are there."};
}

/// Files with that id, and the one agent whose they are.
struct Meant {
  std::string agent_id;
  std::vector<Shelved> notes;
};

Result<Meant> meant_by(const std::vector<Shelved>& notes, const Name& name) {
  Meant meant;
  std::set<std::string> agents;
  for (const Shelved& shelved : notes) {
    const std::string owner(lineage::learning_owner(shelved.claimed_agent));
    if (shelved.note.learning.id == name.id && (name.agent_id.empty() || owner == name.agent_id)) {
      agents.insert(owner);
      meant.notes.push_back(shelved);
    }
  }
  if (name.agent_id.empty() && agents.size() > 1) {
    std::string message = "several agents have a note with the id " + std::to_string(name.id) + ":";
    for (const std::string& agent : agents) {
      message.append(" ").append(agent);
    }
    return Error{ErrorKind::usage, message, {}, "Name one with --agent."};
  }
  meant.agent_id = !name.agent_id.empty() ? name.agent_id
                   : agents.empty()       ? std::string("default")
                                          : *agents.begin();
  return meant;
}

Result<Meant> find(const Desk& desk, const Name& name) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(const auto notes, shelf.read_all());
  return meant_by(notes, name);
}

/// One that was cut off is finished first, so that the same wish again does not begin another.
/// Under the pipeline lock.
Result<state::StateDb> finished_removals(const Desk& desk) {
  TRY_ASSIGN(auto state, state::StateDb::open(desk.folder));
  TRY(capture::resume_removals(desk.disk, desk.folder, state, desk.now));
  return state;
}

std::vector<std::string> paths_of(const std::vector<Shelved>& notes) {
  std::vector<std::string> paths;
  for (const Shelved& shelved : notes) {
    paths.push_back(shelved.note.path);
  }
  return paths;
}

/// The first millisecond from now on of which no other tombstone of the note has its name: it may
/// have been revoked just before.
Result<Tombstone> tombstone_for(const Desk& desk,
                                const std::string& agent_id,
                                std::uint64_t id,
                                TombstoneScope scope,
                                const std::string& reason) {
  Tombstone tombstone;
  tombstone.agent_id = agent_id;
  tombstone.token = lineage::learning_token(agent_id, id);
  tombstone.learning_id = id;
  tombstone.scope = scope;
  tombstone.removed_at = desk.now;
  tombstone.reason = reason;
  TRY_ASSIGN(const auto root, desk.disk.open_root(desk.folder.workspace()));
  TRY_ASSIGN(const auto memory, root->open_folder("memory"));
  const auto name = [&tombstone] {
    const std::string path = canon::tombstone_path(tombstone);
    return path.substr(path.rfind('/') + 1);
  };
  while (memory->stat(name())) {
    ++tombstone.removed_at->ms;
  }
  return tombstone;
}

/// Whether the hash of a body in a tombstone of `agent_id` means this note, too.
bool falls_under(const Shelved& shelved, const std::string& agent_id) {
  return !lineage::is_valid_agent_id(shelved.claimed_agent) || shelved.claimed_agent == agent_id;
}

/// Hashes that tell the notes again under any name and id: of what they say, and of bodies that are
/// long enough to tell a copy outside the folder. Not of what a note of that agent says that stays.
std::vector<base::Digest> telling_bodies(const Meant& meant, const std::vector<Shelved>& all) {
  std::set<std::string> paths;
  for (const Shelved& shelved : meant.notes) {
    paths.insert(shelved.note.path);
  }
  std::set<base::Digest> bodies;
  for (const Shelved& shelved : meant.notes) {
    if (shelved.said.empty() || shelved.body_size == 0) {
      continue;  // nobody could read what it says
    }
    const bool stays = std::any_of(all.begin(), all.end(), [&](const Shelved& other) {
      return other.valid && other.said.back() == shelved.said.back() &&
             falls_under(other, meant.agent_id) && !paths.contains(other.note.path);
    });
    if (stays) {
      continue;
    }
    bodies.insert(shelved.said.begin(), shelved.said.end());
    if (shelved.body_size >= lineage::kLeastNamedBody) {
      bodies.insert(shelved.body);
    }
  }
  return {bodies.begin(), bodies.end()};
}

/// Whether the file is in the vault still, or nobody can tell that it is not.
Result<bool> is_there(const Desk& desk, const std::string& path) {
  TRY_ASSIGN(const auto root, desk.disk.open_root(desk.folder.workspace()));
  const std::size_t slash = path.rfind('/');
  const auto folder = base::open_below(*root, path.substr(0, slash));
  if (!folder) {
    return folder.error().kind != ErrorKind::not_found;
  }
  const auto stat = (*folder)->stat(path.substr(slash + 1));
  return stat || stat.error().kind != ErrorKind::not_found;
}

/// What is still there must not be called forgotten, whatever kept it.
Result<void> check_gone(const std::vector<std::string>& stayed) {
  if (stayed.empty()) {
    return {};
  }
  std::string names;
  for (const std::string& path : stayed) {
    names.append(names.empty() ? "" : ", ").append(base::printable(path));
  }
  return Error{ErrorKind::io,
               "not forgotten, because it was changed meanwhile: " + names,
               {},
               "Try again, or delete it by hand; 'daybook reindex' then wipes what is left of it."};
}

/// Called under the pipeline lock: only its holder carries out removals.
Result<void> forget_one(const Desk& desk,
                        state::StateDb& state,
                        const Meant& meant,
                        std::uint64_t id,
                        const std::vector<Shelved>& all,
                        const std::string& reason,
                        Change& change,
                        std::vector<std::string>& stayed) {
  capture::RemovalPlan plan;
  TRY_ASSIGN(plan.tombstone,
             tombstone_for(desk, meant.agent_id, id, TombstoneScope::learning, reason));
  plan.tombstone.removed_sha256 = telling_bodies(meant, all);
  plan.files = paths_of(meant.notes);
  TRY(capture::carry_out(desk.disk, desk.folder, state, plan, desk.now));
  for (const Shelved& shelved : meant.notes) {
    TRY_ASSIGN(const bool stays, is_there(desk, shelved.note.path));
    if (stays) {
      stayed.push_back(shelved.note.path);
      continue;
    }
    change.notes.push_back(shelved.note);
    change.paths.push_back(shelved.note.path);
  }
  change.paths.push_back(canon::tombstone_path(plan.tombstone));
  return {};
}

Result<std::optional<canon::LearningEdit>> approved(const Learning& known) {
  switch (known.status) {
    case LearningStatus::active:
      if (known.tier == PublishTier::active) {
        return std::optional<canon::LearningEdit>();
      }
      [[fallthrough]];
    case LearningStatus::provisional:
    case LearningStatus::archived:
      return std::optional(
          canon::LearningEdit{LearningStatus::active, PublishTier::active, std::nullopt, {}});
    default:
      return Error{ErrorKind::usage,
                   "a note that is " + std::string(to_string(known.status)) + " cannot be approved",
                   {},
                   "Remember it anew with 'daybook learnings add'."};
  }
}

}  // namespace

Result<Change> approve(const Desk& desk, const Name& name) {
  TRY_ASSIGN(const Meant meant, find(desk, name));
  Change change;
  for (const Shelved& shelved : meant.notes) {
    // A copy with something wrong with it stays out, whatever its standing.
    if (!shelved.valid) {
      continue;
    }
    TRY_ASSIGN(auto done,
               canon::update_learning(
                   desk.disk,
                   {desk.folder.workspace(), shelved.note.path, desk.folder.file("locks")},
                   meant.agent_id,
                   name.id,
                   desk.now,
                   approved));
    if (done.write == canon::LearningWrite::written) {
      change.paths.push_back(done.path);
    }
    change.notes.push_back({done.path, std::move(done.learning)});
  }
  if (change.notes.empty()) {
    return meant.notes.empty()
               ? unknown(name.id)
               : Error{ErrorKind::usage,
                       "this note has something wrong with it, so it cannot be approved",
                       meant.notes.front().note.path,
                       "'daybook check' says what; mend it, then try again."};
  }
  return change;
}

Result<Change> revoke(const Desk& desk, const Name& name, const std::string& reason) {
  TRY_ASSIGN(const auto literals, literals_of(desk));
  TRY_ASSIGN(const std::string why, fair_reason(reason, literals));
  TRY_ASSIGN(
      const auto lock,
      state::PipelineLock::acquire(desk.folder, {"daybook learnings revoke", desk.now, desk.wait}));
  TRY_ASSIGN(auto state, finished_removals(desk));
  TRY_ASSIGN(const Meant meant, find(desk, name));
  if (meant.notes.empty()) {
    return unknown(name.id);
  }
  Change change;
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  const bool done_before =
      shelf.removals().revokes_learning(name.id, meant.agent_id) &&
      std::all_of(meant.notes.begin(), meant.notes.end(), [](const Shelved& shelved) {
        return shelved.note.learning.status == LearningStatus::revoked;
      });
  if (!done_before) {
    capture::RemovalPlan plan;
    TRY_ASSIGN(plan.tombstone,
               tombstone_for(desk, meant.agent_id, name.id, TombstoneScope::revocation, why));
    plan.files = paths_of(meant.notes);
    TRY(capture::carry_out(desk.disk, desk.folder, state, plan, desk.now));
    change.paths = plan.files;
    change.paths.push_back(canon::tombstone_path(plan.tombstone));
  }
  for (const Shelved& shelved : meant.notes) {
    TRY_ASSIGN(const auto known, shelf.read(shelved.note.path));
    change.notes.push_back(known ? known->note : shelved.note);
  }
  return change;
}

Result<std::vector<std::string>> what_forgetting_takes(const Desk& desk, const Name& name) {
  TRY_ASSIGN(const Meant meant, find(desk, name));
  if (meant.notes.empty()) {
    return unknown(name.id);
  }
  return paths_of(meant.notes);
}

Result<Change> forget(const Desk& desk, const Name& name, const std::string& reason) {
  TRY_ASSIGN(const auto literals, literals_of(desk));
  TRY_ASSIGN(const std::string why, fair_reason(reason, literals));
  TRY_ASSIGN(
      const auto lock,
      state::PipelineLock::acquire(desk.folder, {"daybook learnings forget", desk.now, desk.wait}));
  TRY_ASSIGN(auto state, finished_removals(desk));
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(const auto all, shelf.read_all());
  TRY_ASSIGN(const Meant meant, meant_by(all, name));
  if (meant.notes.empty()) {
    return unknown(name.id);
  }
  Change change;
  std::vector<std::string> stayed;
  TRY(forget_one(desk, state, meant, name.id, all, why, change, stayed));
  TRY(check_gone(stayed));
  return change;
}

Result<std::vector<Note>> list(const Desk& desk, const Filter& filter) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(auto shelved, shelf.read_all());
  std::vector<Note> notes;
  std::set<std::pair<std::string, std::uint64_t>> seen;  // of copies the smallest path counts
  for (Shelved& one : shelved) {
    const Learning& learning = one.note.learning;
    if (!one.valid || (!filter.agent_id.empty() && learning.agent_id != filter.agent_id) ||
        (filter.type && lineage::memory_type_of(learning.kind) != *filter.type) ||
        (!filter.category.empty() && learning.category != filter.category) ||
        !seen.emplace(learning.agent_id, learning.id).second ||
        (!filter.every_status && !learning.is_shown(desk.now))) {
      continue;
    }
    notes.push_back(std::move(one.note));
  }
  std::sort(notes.begin(), notes.end(), [](const Note& one, const Note& other) {
    return is_older(other.learning, one.learning);
  });
  return notes;
}

Result<Change> clear(const Desk& desk, const Filter& filter, const std::string& reason) {
  TRY_ASSIGN(const auto literals, literals_of(desk));
  TRY_ASSIGN(const std::string why, fair_reason(reason, literals));
  TRY_ASSIGN(
      const auto lock,
      state::PipelineLock::acquire(desk.folder, {"daybook learnings clear", desk.now, desk.wait}));
  TRY_ASSIGN(auto state, finished_removals(desk));
  Filter every = filter;
  every.every_status = true;
  TRY_ASSIGN(const auto notes, list(desk, every));
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(auto all, shelf.read_all());
  Change change;
  std::vector<std::string> stayed;
  for (const Note& note : notes) {
    const Name name{note.learning.agent_id, note.learning.id};
    TRY_ASSIGN(const Meant meant, meant_by(all, name));
    TRY(forget_one(desk, state, meant, name.id, all, why, change, stayed));
    // What is gone keeps no other note's words from being told again.
    std::erase_if(all, [&meant](const Shelved& shelved) {
      return std::any_of(meant.notes.begin(), meant.notes.end(), [&](const Shelved& gone) {
        return gone.note.path == shelved.note.path;
      });
    });
  }
  TRY(check_gone(stayed));
  return change;
}

}  // namespace daybook::learn
