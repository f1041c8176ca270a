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
#include <map>
#include <set>
#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;

constexpr const char* kReasonOfClearing = "cleared";

/// ASCII in small letters, runs of anything that is no letter or digit as one blank: two texts that
/// say the same in other signs are the same.
std::string plain_words(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool capital = c >= 'A' && c <= 'Z';
    const bool of_word = capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                         static_cast<unsigned char>(c) >= 0x80;
    if (of_word) {
      words.push_back(capital ? static_cast<char>(c - 'A' + 'a') : c);
    } else if (!words.empty() && words.back() != ' ') {
      words.push_back(' ');
    }
  }
  if (words.ends_with(' ')) {
    words.pop_back();
  }
  return words;
}

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

/// Whether a pass may go on with a removal of it: what cannot be looked up may be there.
bool may_be_recorded(state::StateDb& state, const lineage::Tombstone& tombstone) {
  const auto unfinished = state.flows().unfinished();
  return !unfinished ||
         std::any_of(unfinished->begin(), unfinished->end(), [&](const state::Flow& flow) {
           return flow.kind == state::kRemovalFlow && flow.subject == tombstone.token.to_string();
         });
}

/// Called under the pipeline lock: only its holder carries out removals. An error that adds no
/// paths to the change has begun nothing.
Result<void> forget_one(const Desk& desk,
                        Removing& removing,
                        std::uint64_t id,
                        const NotesOfId& going,
                        const std::vector<Shelved>& all,
                        Change& change,
                        std::vector<std::string>& stayed) {
  capture::RemovalPlan plan;
  TRY_ASSIGN(
      plan.tombstone,
      tombstone_for(desk, going.agent_id, id, lineage::TombstoneScope::learning, removing.reason));
  plan.tombstone.removed_sha256 = telling_bodies(going, all);
  plan.files = paths_of(going.notes);
  auto done = capture::carry_out(desk.disk, desk.folder, removing.state, plan, desk.now);
  if (!done && !may_be_recorded(removing.state, plan.tombstone)) {
    return done;
  }
  // Cut off in the middle, some of them may be gone all the same.
  change.paths.insert(change.paths.end(), plan.files.begin(), plan.files.end());
  change.paths.push_back(canon::tombstone_path(plan.tombstone));
  TRY(std::move(done));
  for (const Shelved& shelved : going.notes) {
    TRY_ASSIGN(const bool stays, is_there(desk, shelved.note.path));
    if (stays) {
      stayed.push_back(shelved.note.path);
      continue;
    }
    change.notes.push_back(shelved.note);
  }
  return {};
}

void add_notes(const NotesOfId& of_id, std::vector<Note>& notes) {
  for (const Shelved& shelved : of_id.notes) {
    notes.push_back(shelved.note);
  }
}

struct GoingNotes {
  std::vector<NotesOfId> of_ids;
  std::vector<std::string> left;  ///< of ids that go together with notes which stay
};

bool is_meant(const Shelved& shelved, const Filter& filter) {
  const Learning& learning = shelved.note.learning;
  const bool by_fields = filter.type || !filter.category.empty();
  if (shelved.sort != Sort::note) {  // nobody knows its type
    return !by_fields;
  }
  return (!filter.type || lineage::memory_type_of(learning.kind) == *filter.type) &&
         (filter.category.empty() || learning.category == filter.category);
}

/// Also wrong ones: what is wrong with a note is no reason to keep it. A person's own notes in that
/// folder are no notes of something learned, whatever number their names begin with.
GoingNotes notes_to_clear(const std::vector<Shelved>& all, const Filter& filter) {
  std::map<std::pair<std::string, std::uint64_t>, NotesOfId> by_id;
  for (const Shelved& shelved : all) {
    const std::string owner(lineage::learning_owner(shelved.claimed_agent));
    if (shelved.sort != Sort::ordinary && (filter.agent_id.empty() || owner == filter.agent_id)) {
      NotesOfId& same = by_id[{owner, shelved.note.learning.id}];
      same.agent_id = owner;
      same.notes.push_back(shelved);
    }
  }
  GoingNotes going;
  for (auto& [id, same] : by_id) {
    std::vector<std::string> meant;
    bool others = false;
    for (const Shelved& shelved : same.notes) {
      if (is_meant(shelved, filter)) {
        meant.push_back(shelved.note.path);
      } else {
        others = others || shelved.sort == Sort::note;
      }
    }
    if (!meant.empty() && !others) {
      going.of_ids.push_back(std::move(same));
    } else {
      going.left.insert(going.left.end(), meant.begin(), meant.end());
    }
  }
  return going;
}

/// A tombstone keeps its reason for good, so that would keep what is to go.
Result<void> check_reason(const std::string& reason, const std::vector<Shelved>& going) {
  const std::string words = " " + plain_words(reason) + " ";
  for (const Shelved& shelved : going) {
    const std::string content = plain_words(shelved.note.learning.content);
    if (!content.empty() && words.find(" " + content + " ") != std::string::npos) {
      return Error{ErrorKind::usage,
                   "the reason holds what is to be forgotten, and the tombstone would keep it",
                   {},
                   "Say why it goes without saying it."};
    }
  }
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

Result<Change> forget(const Desk& desk,
                      const Name& name,
                      const std::string& reason,
                      Absent absent) {
  TRY_ASSIGN(auto removing, begin_removing(desk, "daybook learnings forget", reason));
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(const auto all, shelf.read_all());
  TRY_ASSIGN(const NotesOfId going, notes_of(all, name));
  if (going.notes.empty() && (absent == Absent::is_an_error || name.agent_id.empty())) {
    return unknown_id(name.id);
  }
  if (going.notes.empty() && shelf.removals().removes_learning(name.id, name.agent_id)) {
    return Change();
  }
  TRY(check_reason(removing.reason, going.notes));
  Change change;
  std::vector<std::string> stayed;
  auto done = forget_one(desk, removing, name.id, going, all, change, stayed);
  if (!done && change.paths.empty()) {
    return std::move(done).error();
  }
  if (done) {
    done = check_gone(stayed);
  }
  if (!done) {
    change.cut_off = std::move(done).error();
    add_notes(going, change.unfinished);
  }
  return change;
}

std::vector<std::string> still_there(const Desk& desk, const std::vector<Note>& notes) {
  std::vector<std::string> paths;
  for (const Note& note : notes) {
    const auto there = is_there(desk, note.path);
    if (!there || *there) {
      paths.push_back(note.path);
    }
  }
  return paths;
}

Result<Clearing> what_clearing_takes(const Desk& desk, const Filter& filter) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(const auto all, shelf.read_all());
  const GoingNotes going = notes_to_clear(all, filter);
  Clearing clearing;
  for (const NotesOfId& one : going.of_ids) {
    clearing.ids.push_back(one.notes.front().note.learning.id);
    const auto paths = paths_of(one.notes);
    clearing.paths.insert(clearing.paths.end(), paths.begin(), paths.end());
  }
  clearing.left = going.left;
  return clearing;
}

Result<Change> clear(const Desk& desk, const Filter& filter) {
  TRY_ASSIGN(auto removing, begin_removing(desk, "daybook learnings clear", kReasonOfClearing));
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(auto all, shelf.read_all());
  GoingNotes going = notes_to_clear(all, filter);
  Change change;
  change.left = std::move(going.left);
  std::size_t forgotten = 0;
  for (const NotesOfId& one : going.of_ids) {
    const std::uint64_t id = one.notes.front().note.learning.id;
    if (auto done = forget_one(desk, removing, id, one, all, change, change.left); !done) {
      change.cut_off = std::move(done).error().in_context(
          "forgot " + std::to_string(forgotten) + " of " + std::to_string(going.of_ids.size()) +
          ", then failed at the note " + std::to_string(id));
      for (std::size_t i = forgotten; i < going.of_ids.size(); ++i) {
        add_notes(going.of_ids[i], change.unfinished);
      }
      break;
    }
    ++forgotten;
    // What is gone keeps no other note's words from being told again.
    std::erase_if(all, [&one](const Shelved& shelved) {
      return std::any_of(one.notes.begin(), one.notes.end(), [&](const Shelved& gone) {
        return gone.note.path == shelved.note.path;
      });
    });
  }
  return change;
}

}  // namespace daybook::learn
