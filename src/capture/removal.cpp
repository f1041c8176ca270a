// SPDX-License-Identifier: MIT
#include "daybook/capture/removal.hpp"

#include "capture/removals_in_force.hpp"
#include "capture/removed_file.hpp"
#include "capture/session_names.hpp"
#include "daybook/base/path.hpp"
#include "daybook/canon/learning_writer.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/canon/unlink_file.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/scan/learning_list.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/state/removed_marks.hpp"
#include "daybook/state/replaced_copies.hpp"
#include "daybook/state/trash.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace daybook::capture {
namespace {

using lineage::Kind;
using lineage::Tombstone;

/// The flow's payload is the tombstone itself, in the words of its file.
std::optional<Tombstone> tombstone_from(const std::string& text, const std::string& name) {
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  const parse::FileParts parts = parse::split_file(text);
  if (!parse::read_frontmatter(parts.yaml, fields, findings)) {
    return std::nullopt;
  }
  const parse::Record record =
      parse::read_record(fields, lineage::read_artifact_name(name), findings);
  const auto* tombstone = std::get_if<Tombstone>(&record);
  return tombstone == nullptr ? std::nullopt : std::optional(*tombstone);
}

/// The manifest of a session that loses one file must not go on naming it.
Result<void> mend_manifest(base::Disk& disk,
                           const state::StateFolder& folder,
                           const std::string& manifest,
                           const Tombstone& tombstone,
                           lineage::Timestamp now) {
  const auto is_gone = [&tombstone](const std::optional<lineage::PathField>& field) {
    return field &&
           std::find(tombstone.removed_paths.begin(), tombstone.removed_paths.end(), field->path) !=
               tombstone.removed_paths.end();
  };
  const auto updated = canon::update_manifest(
      disk,
      {folder.workspace(), manifest, folder.file("locks")},
      now,
      [&](const lineage::Manifest& known) {
        canon::ManifestEdit edit;
        for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction}) {
          if (is_gone(known.entry(kind).path)) {
            edit.set_text(std::string(to_string(kind)) + "_path", std::nullopt);
            if (known.entry(kind).seal) {
              edit.set_text(std::string(to_string(kind)) + "_sha256", std::nullopt);
            }
          }
        }
        std::vector<std::string> earlier;
        for (const lineage::PathField& path : known.earlier_paths) {
          if (!is_gone(path)) {
            earlier.push_back(path.path);
          }
        }
        if (earlier.size() != known.earlier_paths.size()) {
          edit.set_list("earlier_paths", earlier);
        }
        return edit;
      });
  // A manifest that cannot be edited keeps a link to nothing, which `check` reports.
  const bool tolerable = updated || updated.error().kind == ErrorKind::damaged ||
                         updated.error().kind == ErrorKind::not_found;
  return tolerable ? Result<void>() : updated.error();
}

/// A session has one manifest, named after its first capture: not after the file that goes.
Result<std::vector<std::string>> manifests_of(base::Disk& disk,
                                              const state::StateFolder& folder,
                                              const Tombstone& tombstone) {
  std::set<lineage::SessionToken> tokens{tombstone.token};
  for (const std::string& path : tombstone.removed_paths) {
    const auto name = lineage::read_artifact_name(base::file_name_of(path));
    if (const auto token = lineage::SessionToken::parse(name.token_text)) {
      tokens.insert(*token);
    }
  }
  TRY_ASSIGN(const auto root, disk.open_root(folder.workspace()));
  TRY_ASSIGN(const auto listing, scan::VaultListing::list(*root));
  std::vector<std::string> manifests;
  for (scan::VaultListing::Index file = 0; file < listing.entries().size(); ++file) {
    const auto& entry = listing.entries()[file];
    if (entry.belongs_to_session() && entry.name().kind == Kind::manifest &&
        tokens.contains(entry.name().token)) {
      manifests.push_back(listing.path(file));
    }
  }
  return manifests;
}

/// Copies of projections that others had replaced, or synchronisers made, may quote what goes: its
/// sentence, or a line.
Result<void> remove_quoting_copies(base::Disk& disk,
                                   const state::StateFolder& folder,
                                   const std::string& path) {
  TRY_ASSIGN(std::vector<std::string> copies, state::replaced_copies(folder));
  TRY_ASSIGN(const auto trashed, state::Trash(folder).items());
  for (const state::Trash::Item& item : trashed) {
    if (lineage::read_memory_md_copy(base::file_name_of(item.path)) != lineage::MemoryMdCopy::no) {
      copies.emplace_back(item.full_path());
    }
  }
  if (copies.empty()) {
    return {};
  }
  TRY_ASSIGN(const auto lines, telling_lines(disk, folder.workspace(), path));
  std::vector<std::string> words;
  if (lineage::is_learning_path(path)) {
    TRY_ASSIGN(words, telling_words(disk, folder.workspace(), path));
  }
  return state::erase_copies(copies, [&lines, &words](const std::string& text) {
    return says_in_order(text, words) ||
           std::any_of(lines.begin(), lines.end(), [&text](const std::string& line) {
             return text.find(line) != std::string::npos;
           });
  });
}

/// A note goes by its id alone: another one may say the same, and stays.
bool is_to_go(const lineage::TombstoneSet& removal,
              lineage::TombstoneScope scope,
              const ReadFile& file) {
  return scope == lineage::TombstoneScope::learning
             ? file.learning_id && removal.removes_learning(*file.learning_id, file.agent_id)
             : is_meant(removal, file);
}

/// What a file that cannot be read says nobody knows, so what was asked for is not done yet. But it
/// may be quite another note, whose owner has closed it: nothing else has to wait for it.
struct Deed {
  bool changed = false;
  std::optional<Error> unread;  // the first
};

/// Of a note that cannot be read: what its name says, as the shelf has it that planned to unlink
/// it.
ReadFile by_name(const std::string& path) {
  ReadFile file;
  file.path = path;
  file.learning_id = parse::learning_claim({}, path).id;
  return file;
}

/// What to do about a file that cannot be read. A note of which somebody has just said that it is
/// to go goes by its name. Where only a record speaks it stays, since it may be another note, and
/// the removal is not finished before it can be read.
enum class Unread : std::uint8_t { by_name, left_open };

/// Each file only if it still is what the removal means.
Result<Deed> unlink_files(base::Disk& disk,
                          const state::StateFolder& folder,
                          const Tombstone& tombstone,
                          const std::set<std::string>& paths,
                          Unread unread) {
  Deed deed;
  lineage::TombstoneSet removal;
  removal.add(tombstone);
  for (const std::string& path : paths) {
    auto read = read_file(disk, folder.workspace(), path);
    if (!read && unread == Unread::left_open) {
      deed.unread = deed.unread ? deed.unread : std::move(read).error();
      continue;
    }
    const std::optional<ReadFile> file =
        read ? std::move(read).value() : std::optional(by_name(path));
    if (file && is_to_go(removal, tombstone.scope, *file)) {
      TRY(remove_quoting_copies(disk, folder, path));
      TRY(canon::unlink_file(folder.workspace(), path));
      deed.changed = true;
    }
  }
  return deed;
}

/// No capture of the session is in the middle of its work while these are held, and none begins.
Result<std::vector<canon::SessionLock>> lock_session(const state::StateFolder& folder,
                                                     const Tombstone& tombstone) {
  std::vector<lineage::SessionToken> tokens(tombstone.also_tokens);
  tokens.push_back(tombstone.token);
  return canon::SessionLock::take_all(folder.file("locks"), tokens);
}

/// What the removal names, and what a capture has added since it was planned.
Result<std::set<std::string>> files_to_go(base::Disk& disk,
                                          const state::StateFolder& folder,
                                          const Tombstone& tombstone,
                                          const std::vector<std::string>& planned) {
  std::set<std::string> paths(tombstone.removed_paths.begin(), tombstone.removed_paths.end());
  if (tombstone.scope == lineage::TombstoneScope::paths) {
    return paths;
  }
  if (tombstone.scope == lineage::TombstoneScope::learning) {
    // Their names hold words of what goes, so the tombstone does not list them.
    if (!planned.empty()) {
      return std::set<std::string>(planned.begin(), planned.end());
    }
    TRY_ASSIGN(const auto notes, scan::list_learnings(disk, folder.workspace()));
    return std::set<std::string>(notes.paths.begin(), notes.paths.end());
  }
  std::vector<lineage::SessionToken> tokens(tombstone.also_tokens);
  tokens.push_back(tombstone.token);
  TRY_ASSIGN(const SessionNames names, session_names(disk, folder.workspace(), tokens));
  for (const NamedFile& file : names.files) {
    paths.insert(file.path);
  }
  return paths;
}

/// Every note of that id says `revoked` from now on.
Result<Deed> revoke_notes(base::Disk& disk,
                          const state::StateFolder& folder,
                          const Tombstone& tombstone,
                          lineage::Timestamp now) {
  Deed deed;
  TRY_ASSIGN(const auto notes, scan::list_learnings(disk, folder.workspace()));
  for (const std::string& path : notes.paths) {
    const auto file = read_file(disk, folder.workspace(), path);
    if (!file) {
      deed.unread = deed.unread ? deed.unread : file.error();
      continue;
    }
    // A synchroniser's copy counts nowhere.
    if (!*file || (*file)->learning_id != tombstone.learning_id ||
        lineage::conflict_copy_of(base::file_name_of(path))) {
      continue;
    }
    const auto done = canon::update_learning(
        disk,
        {folder.workspace(), path, folder.file("locks")},
        tombstone.agent_id,
        *tombstone.learning_id,
        now,
        [&](const lineage::Learning& known) -> Result<std::optional<canon::LearningEdit>> {
          if (known.status == lineage::LearningStatus::revoked) {
            return std::optional<canon::LearningEdit>();
          }
          return std::optional(canon::LearningEdit{lineage::LearningStatus::revoked,
                                                   known.tier,
                                                   tombstone.removed_at,
                                                   tombstone.reason,
                                                   std::nullopt});
        });
    // What cannot be edited is left out because of the tombstone, and `check` says so.
    if (!done && done.error().kind != ErrorKind::damaged &&
        done.error().kind != ErrorKind::not_found) {
      return done.error();
    }
    deed.changed |= done && done->write == canon::LearningWrite::written;
  }
  return deed;
}

/// What is to be done to the files of the vault, all of it again if need be.
Result<Deed> do_deed(base::Disk& disk,
                     const state::StateFolder& folder,
                     const Tombstone& tombstone,
                     const std::vector<std::string>& planned,
                     lineage::Timestamp now) {
  if (tombstone.scope == lineage::TombstoneScope::revocation) {
    return revoke_notes(disk, folder, tombstone, now);
  }
  TRY_ASSIGN(const auto paths, files_to_go(disk, folder, tombstone, planned));
  const bool was_chosen = tombstone.scope == lineage::TombstoneScope::learning && !planned.empty();
  return unlink_files(
      disk, folder, tombstone, paths, was_chosen ? Unread::by_name : Unread::left_open);
}

/// Every step again is harmless; the flow is finished when all are done. `planned`: files of a note
/// of something learned; none: they are looked for. The answer: what kept it from being finished;
/// it is tried again with each pass, and the tombstone counts meanwhile.
Result<std::optional<Error>> finish(base::Disk& disk,
                                    const state::StateFolder& folder,
                                    state::StateDb& state,
                                    const std::string& flow,
                                    const Tombstone& tombstone,
                                    const std::vector<std::string>& planned,
                                    lineage::Timestamp now) {
  TRY_ASSIGN(const std::string payload, canon::tombstone_text(tombstone));
  Deed deed;
  {
    // Mending a manifest and revoking a note take the lock themselves.
    std::vector<canon::SessionLock> locks;
    if (tombstone.scope == lineage::TombstoneScope::session ||
        tombstone.scope == lineage::TombstoneScope::learning) {
      TRY_ASSIGN(locks, lock_session(folder, tombstone));
    }
    TRY(canon::write_tombstone(disk, folder.workspace(), tombstone));
    state::mark_removed(folder, std::span(&tombstone, 1));  // who sees no mark asks for no copy
    TRY(state.tombstones().put(tombstone));
    TRY(state.flows().advance(flow, "unlink", payload, now));
    TRY_ASSIGN(deed, do_deed(disk, folder, tombstone, planned, now));
  }
  if (tombstone.scope == lineage::TombstoneScope::paths) {
    TRY_ASSIGN(const auto manifests, manifests_of(disk, folder, tombstone));
    for (const std::string& manifest : manifests) {
      TRY(mend_manifest(disk, folder, manifest, tombstone, now));
    }
  }
  // Wiping is dear: not again with each pass that finds nothing more to unlink.
  if (tombstone.scope != lineage::TombstoneScope::revocation && (deed.changed || !deed.unread)) {
    TRY(state.put_meta(state::kErasurePending, "1"));
  }
  if (deed.unread) {
    return deed.unread;
  }
  TRY(state.audit().append({now,
                            state::AuditAction::remove,
                            tombstone.token.to_string(),
                            tombstone.reason,
                            is_of_learning(tombstone.scope)
                                ? std::string(to_string(tombstone.scope))
                                : std::to_string(tombstone.removed_paths.size()) + " files"}));
  TRY(state.flows().finish(flow, {}, now));
  return std::optional<Error>();
}

}  // namespace

Result<void> carry_out(base::Disk& disk,
                       const state::StateFolder& folder,
                       state::StateDb& state,
                       const RemovalPlan& plan,
                       lineage::Timestamp now) {
  TRY_ASSIGN(const std::string payload, canon::tombstone_text(plan.tombstone));
  TRY_ASSIGN(
      const std::string flow,
      state.flows().begin(
          {{}, state::kRemovalFlow, plan.tombstone.token.to_string(), "tombstone", payload}, now));
  TRY_ASSIGN(const auto unread, finish(disk, folder, state, flow, plan.tombstone, plan.files, now));
  // Of notes that were looked for, one that cannot be read is most likely another: the next passes
  // go on with it. What is revoked counts no longer by the tombstone alone.
  const bool was_named = plan.tombstone.scope != lineage::TombstoneScope::revocation &&
                         (!is_of_learning(plan.tombstone.scope) || !plan.files.empty());
  return unread && was_named ? *unread : Result<void>();
}

Result<std::vector<std::string>> resume_removals(base::Disk& disk,
                                                 const state::StateFolder& folder,
                                                 state::StateDb& state,
                                                 lineage::Timestamp now) {
  std::vector<std::string> notices;
  TRY_ASSIGN(const auto unfinished, state.flows().unfinished());
  for (const state::Flow& flow : unfinished) {
    if (flow.kind != state::kRemovalFlow) {
      continue;
    }
    // The name only has to carry the token; time and all else are in the payload.
    const std::string name = to_string(lineage::ArtifactName{
        lineage::SessionToken::parse(flow.subject).value_or(lineage::SessionToken{}),
        flow.started_at,
        Kind::tombstone});
    const auto tombstone = tombstone_from(flow.payload, name);
    if (!tombstone) {
      return Error{ErrorKind::damaged,
                   "the record of a removal that was cut off cannot be read",
                   folder.file("state.db"),
                   "Run 'daybook remove' for the session " + flow.subject + " again."};
    }
    TRY_ASSIGN(const auto unread, finish(disk, folder, state, flow.id, *tombstone, {}, now));
    // Without the file's name, which may hold words of what it says, and goes into logs.
    notices.push_back(
        unread ? "a removal that was cut off waits for files that cannot be read: " + flow.subject +
                     "; 'daybook check' names them, and it goes on by itself"
               : "a removal that was cut off was finished: " + flow.subject);
  }
  return notices;
}

Result<lineage::TombstoneSet> removals_here(base::Disk& disk,
                                            const state::StateFolder& folder,
                                            state::StateDb& state) {
  TRY_ASSIGN(const SessionNames names,
             session_names(disk, folder.workspace(), {}, LockedFolder::passed_over));
  return removals_in_force(disk, folder.workspace(), names, state);
}

}  // namespace daybook::capture
