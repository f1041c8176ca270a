// SPDX-License-Identifier: MIT
//
// What people and agents want remembered -> notes in memory/learnings/, and what becomes of them:
// approved, revoked, forgotten, archived when there are too many. Nothing is stored before it was
// judged: its form, the secret guard, the removals in force, what is known already. Reads the notes
// themselves, so that no index has to be up to date; writes nothing else than files of the vault
// and, for what is revoked or forgotten, the record of it in state.db. Index and MEMORY.md follow
// with the pass that the caller runs next over `paths`. Any thread, any process: one note is made
// at a time. What was cut off is whole or not there; a revocation or forgetting is finished by the
// next pass.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::learn {

/// Who asks: a person's word counts at once.
enum class Actor : std::uint8_t { person, agent };

/// What all of it works with; must outlive the call.
struct Desk {
  base::Disk& disk;
  const state::StateFolder& folder;
  const parse::Config& config;
  lineage::Timestamp now;
  std::chrono::milliseconds wait = std::chrono::seconds(5);  ///< for locks
};

struct NewLearning {
  Actor actor = Actor::person;
  std::string agent_id{lineage::kDefaultAgent};
  lineage::LearningKind kind = lineage::LearningKind::fact;
  std::string category;  ///< any text
  std::string content;
  lineage::LearningScope scope;
  lineage::Sensitivity sensitivity = lineage::Sensitivity::scoped;
  std::optional<lineage::Timestamp> expires_at;
  std::string metadata;  ///< a JSON object; empty: none
};

struct Note {
  std::string path;  ///< workspace-relative
  lineage::Learning learning;
};

/// What was written where. Nothing in `paths`: all was so already.
struct Change {
  std::vector<Note> notes;         ///< as they are now; of what was forgotten, as they were
  std::vector<Note> archived;      ///< older ones beyond the limit of their type
  std::vector<std::string> paths;  ///< of all files that were written or unlinked
  /// Of revoke(): notes in which it cannot be said; the tombstone alone keeps them from counting.
  std::vector<std::string> not_edited;
  /// Of remember(): fields of a known note in which it differs from the wish, and stays as it was.
  std::vector<std::string> not_changed;
  /// Of remember(): an agent says what a person has revoked, so that a person has to approve it.
  bool revoked_before = false;
  /// Of clear(): notes that it should have taken, and could not.
  std::vector<std::string> left;
  std::string not_archived;  ///< why; there are more notes than there should be
  /// Of forget() and clear(): why they ended before all was done. The rest tells what was, and
  /// `paths` also what may have been: index and MEMORY.md have to follow all the same.
  std::optional<Error> cut_off;
  /// With cut_off: what should have gone, and was not seen to. The pass that follows may have
  /// finished it: ask still_there() then.
  std::vector<Note> unfinished;
};

/// ErrorKind::usage for what cannot be taken, with the reason. A note that says it already, of the
/// same agent, kind and scope, is the answer. It becomes sensitive if that is wanted now, and
/// active if a person says it; nothing else in it is changed. What an agent says although a note
/// of that agent and kind that says the same was revoked is provisional.
Result<Change> remember(const Desk& desk, const NewLearning& wanted);

/// A reason as a tombstone keeps it: on one line, without control characters. ErrorKind::usage when
/// there is none, it is too long, or seems to hold a secret. What asks for reasons, and what looks
/// ahead for it, asks here first.
Result<std::string> storable_reason(const Desk& desk, const std::string& text);

/// One note by its id. An empty agent: any, as long as only one has it.
struct Name {
  std::string agent_id;
  std::uint64_t id = 0;
};

/// A person's word: a provisional or archived note is active from now on. Older ones beyond the
/// limit of its type are archived.
Result<Change> approve(const Desk& desk, const Name& name);

/// It stays, and counts no longer, wherever copies of it say otherwise.
Result<Change> revoke(const Desk& desk, const Name& name, const std::string& reason);

/// Files that forgetting would unlink, also those with something wrong with them.
Result<std::vector<std::string>> what_forgetting_takes(const Desk& desk, const Name& name);

/// Of an id that no file has, and an agent that is named: whether it is kept away all the same, for
/// a synchroniser may bring it back.
enum class Absent : std::uint8_t { is_an_error, kept_away };

/// Unlinked for good, or Change::cut_off; an error where nothing was begun. ErrorKind::usage also
/// for a reason that holds what is to go.
Result<Change> forget(const Desk& desk,
                      const Name& name,
                      const std::string& reason,
                      Absent absent = Absent::is_an_error);

/// The files of those that are in the vault still, or of which nobody can tell that they are not.
std::vector<std::string> still_there(const Desk& desk, const std::vector<Note>& notes);

/// Folders below memory/learnings/ that cannot be read: nobody knows which notes are in them.
Result<std::vector<std::string>> unreadable_folders(const Desk& desk);

struct Filter {
  std::string agent_id;  ///< empty: any
  std::optional<lineage::MemoryType> type;
  std::string category;       ///< as learning_category() gives it; empty: any
  bool every_status = false;  ///< else only what may be shown now
};

/// Valid notes, newest first.
Result<std::vector<Note>> list(const Desk& desk, const Filter& filter);

/// Files that clearing would unlink, and those of an id that another type has, too: they stay,
/// since an id is forgotten as a whole.
struct Clearing {
  std::vector<std::string> paths;
  std::vector<std::uint64_t> ids;
  std::vector<std::string> left;
};
Result<Clearing> what_clearing_takes(const Desk& desk, const Filter& filter);

/// Forgets each of them, whatever its status and whatever is wrong with it, with the reason
/// `cleared`. Ends with the first that cannot be forgotten: Change::cut_off.
Result<Change> clear(const Desk& desk, const Filter& filter);

/// Beside them what is in the folder and does not go along: notes with something wrong with them,
/// second ones of an id, copies by a synchroniser, files and folders that cannot be read.
struct Exporting {
  std::vector<Note> notes;  ///< newest first
  std::vector<std::string> left_out;
};
Result<Exporting> what_exporting_takes(const Desk& desk, const Filter& filter);

/// A JSON array that import() takes back.
std::string to_json(const std::vector<Note>& notes);

enum class Apply : std::uint8_t { yes, dry_run };

/// Not everything has to be taken: `refused` says why, by record.
struct Imported {
  Change change;
  std::uint64_t written = 0;
  std::uint64_t known = 0;  ///< said already
  std::uint64_t blank = 0;
  std::uint64_t forgotten = 0;  ///< forgotten here: they stay away
  std::vector<std::string> refused;
};

/// Of an own export, or of an InitRunner's. One that cannot be understood is ErrorKind::usage with
/// the record's number, before anything is written. `agent_id` empty: as the records say.
Result<Imported> import(const Desk& desk,
                        const std::string& agent_id,
                        std::string_view json,
                        Apply apply);

}  // namespace daybook::learn
