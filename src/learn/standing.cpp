// SPDX-License-Identifier: MIT
#include "daybook/canon/learning_writer.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "learn/archive.hpp"
#include "learn/keeping.hpp"
#include "learn/notes_of_id.hpp"
#include "learn/removing.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace daybook::learn {
namespace {

using lineage::Learning;
using lineage::LearningStatus;
using lineage::PublishTier;
using lineage::TombstoneScope;

std::vector<std::string> paths_of(const std::vector<Note>& notes) {
  std::vector<std::string> paths;
  paths.reserve(notes.size());
  for (const Note& note : notes) {
    paths.push_back(note.path);
  }
  return paths;
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
      return std::optional(canon::LearningEdit{
          LearningStatus::active, PublishTier::active, std::nullopt, {}, std::nullopt});
    default:
      return Error{ErrorKind::usage,
                   "a note that is " + std::string(to_string(known.status)) + " cannot be approved",
                   {},
                   "Remember it anew with 'daybook learnings add'."};
  }
}

}  // namespace

Result<Change> approve(const Desk& desk, const Name& name) {
  TRY_ASSIGN(const NotesOfId known, find_notes(desk, name));
  TRY_ASSIGN(const auto lock, lock_agent(desk, known.agent_id));
  Change change;
  std::set<lineage::MemoryType> types;
  for (const Shelved& shelved : known.notes) {
    // A copy with something wrong with it stays out, whatever its standing.
    if (!shelved.valid) {
      continue;
    }
    TRY_ASSIGN(auto done,
               canon::update_learning(
                   desk.disk,
                   {desk.folder.workspace(), shelved.note.path, desk.folder.file("locks")},
                   known.agent_id,
                   name.id,
                   desk.now,
                   approved));
    if (done.write == canon::LearningWrite::written) {
      change.paths.push_back(done.path);
      types.insert(lineage::memory_type_of(done.learning.kind));
    }
    change.notes.push_back({done.path, std::move(done.learning)});
  }
  if (change.notes.empty()) {
    return known.notes.empty()
               ? unknown_id(name.id)
               : Error{ErrorKind::usage,
                       "this note has something wrong with it, so it cannot be approved",
                       known.notes.front().note.path,
                       "'daybook check' says what; mend it, then try again."};
  }
  for (const lineage::MemoryType type : types) {
    archive_surplus(desk, known.agent_id, type, paths_of(change.notes), change);
  }
  return change;
}

Result<Change> revoke(const Desk& desk, const Name& name, const std::string& reason) {
  TRY_ASSIGN(auto removing, begin_removing(desk, "daybook learnings revoke", reason));
  TRY_ASSIGN(const NotesOfId known, find_notes(desk, name));
  if (known.notes.empty()) {
    return unknown_id(name.id);
  }
  Change change;
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  const bool done_before =
      shelf.removals().revokes_learning(name.id, known.agent_id) &&
      std::all_of(known.notes.begin(), known.notes.end(), [](const Shelved& shelved) {
        return shelved.sort != Sort::note ||
               shelved.note.learning.status == LearningStatus::revoked;
      });
  if (!done_before) {
    capture::RemovalPlan plan;
    TRY_ASSIGN(
        plan.tombstone,
        tombstone_for(desk, known.agent_id, name.id, TombstoneScope::revocation, removing.reason));
    plan.files = paths_of(known.notes);
    TRY(capture::carry_out(desk.disk, desk.folder, removing.state, plan, desk.now));
    change.paths = plan.files;
    change.paths.push_back(canon::tombstone_path(plan.tombstone));
  }
  for (const Shelved& shelved : known.notes) {
    if (shelved.sort == Sort::copy && known.notes.size() > 1) {
      continue;  // it counts nowhere, and is left as the synchroniser has made it
    }
    TRY_ASSIGN(const auto now, shelf.read(shelved.note.path));
    change.notes.push_back(now ? now->note : shelved.note);
    if (now && now->note.learning.status != LearningStatus::revoked) {
      change.not_edited.push_back(shelved.note.path);
    }
  }
  return change;
}

}  // namespace daybook::learn
