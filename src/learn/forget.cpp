// SPDX-License-Identifier: MIT
#include "daybook/base/printable.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "learn/notes_of_id.hpp"
#include "learn/removing.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::learn {
namespace {

/// Whether the hash of a body in a tombstone of `agent_id` means this note, too.
bool falls_under(const Shelved& shelved, const std::string& agent_id) {
  return !lineage::is_valid_agent_id(shelved.claimed_agent) || shelved.claimed_agent == agent_id;
}

/// Hashes that tell the notes again under any name and id: of what they say, and of bodies that are
/// long enough to tell a copy outside the folder. Not of what a note of that agent says that stays.
std::vector<base::Digest> telling_bodies(const NotesOfId& going, const std::vector<Shelved>& all) {
  std::set<std::string> paths;
  for (const Shelved& shelved : going.notes) {
    paths.insert(shelved.note.path);
  }
  std::set<base::Digest> bodies;
  for (const Shelved& shelved : going.notes) {
    if (shelved.said.empty() || shelved.body_size == 0) {
      continue;  // nobody could read what it says
    }
    const bool stays = std::any_of(all.begin(), all.end(), [&](const Shelved& other) {
      return other.valid && other.said.back() == shelved.said.back() &&
             falls_under(other, going.agent_id) && !paths.contains(other.note.path);
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
                        Removing& removing,
                        const NotesOfId& going,
                        const std::vector<Shelved>& all,
                        Change& change,
                        std::vector<std::string>& stayed) {
  capture::RemovalPlan plan;
  TRY_ASSIGN(plan.tombstone,
             tombstone_for(desk,
                           going.agent_id,
                           going.notes.front().note.learning.id,
                           lineage::TombstoneScope::learning,
                           removing.reason));
  plan.tombstone.removed_sha256 = telling_bodies(going, all);
  plan.files = paths_of(going.notes);
  TRY(capture::carry_out(desk.disk, desk.folder, removing.state, plan, desk.now));
  for (const Shelved& shelved : going.notes) {
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

}  // namespace

Result<std::vector<std::string>> what_forgetting_takes(const Desk& desk, const Name& name) {
  TRY_ASSIGN(const NotesOfId found, find_notes(desk, name));
  if (found.notes.empty()) {
    return unknown_id(name.id);
  }
  return paths_of(found.notes);
}

Result<Change> forget(const Desk& desk, const Name& name, const std::string& reason) {
  TRY_ASSIGN(auto removing, begin_removing(desk, "daybook learnings forget", reason));
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(const auto all, shelf.read_all());
  TRY_ASSIGN(const NotesOfId going, notes_of(all, name));
  if (going.notes.empty()) {
    return unknown_id(name.id);
  }
  Change change;
  std::vector<std::string> stayed;
  TRY(forget_one(desk, removing, going, all, change, stayed));
  TRY(check_gone(stayed));
  return change;
}

Result<Change> clear(const Desk& desk, const Filter& filter, const std::string& reason) {
  TRY_ASSIGN(auto removing, begin_removing(desk, "daybook learnings clear", reason));
  Filter every = filter;
  every.every_status = true;
  TRY_ASSIGN(const auto notes, list(desk, every));
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(auto all, shelf.read_all());
  Change change;
  std::vector<std::string> stayed;
  for (const Note& note : notes) {
    TRY_ASSIGN(const NotesOfId going, notes_of(all, {note.learning.agent_id, note.learning.id}));
    if (going.notes.empty()) {
      continue;  // somebody has deleted it meanwhile
    }
    TRY(forget_one(desk, removing, going, all, change, stayed));
    // What is gone keeps no other note's words from being told again.
    std::erase_if(all, [&going](const Shelved& shelved) {
      return std::any_of(going.notes.begin(), going.notes.end(), [&](const Shelved& gone) {
        return gone.note.path == shelved.note.path;
      });
    });
  }
  TRY(check_gone(stayed));
  return change;
}

}  // namespace daybook::learn
