// SPDX-License-Identifier: MIT
#include "daybook/service/conflicts.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/canon/manifest_merge.hpp"
#include "daybook/canon/unlink_file.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/trash.hpp"
#include "service/conflict_finder.hpp"

#include <array>

namespace daybook::service {
namespace {

constexpr std::array<std::string_view, 7> kKindNames{
    "summary", "transcript", "compaction", "manifest", "tombstone", "note", "memory-md"};
constexpr std::array<std::string_view, 8> kVerdictNames{"same-bytes",
                                                        "derived",
                                                        "derived-removed",
                                                        "mergeable",
                                                        "differs",
                                                        "no-original",
                                                        "removed-content",
                                                        "unreadable"};
constexpr std::array<std::string_view, 4> kActionNames{"trash", "merge", "remove", "keep"};

constexpr const char* kChanged = "it has changed meanwhile and was left; run the command again";

/// Everything that acting on one conflict needs.
class Resolver {
 public:
  Resolver(base::Disk& disk,
           const state::StateFolder& folder,
           state::StateDb& state,
           ConflictFinder& finder,
           lineage::Timestamp now)
      : disk_(disk), folder_(folder), state_(state), finder_(finder), trash_(folder), now_(now) {}

  /// A failure that concerns this one file is its note; a failing disk ends the work.
  Result<ConflictOutcome> resolve(const Conflict& planned) {
    ConflictOutcome outcome{planned, ConflictAction::keep, {}, {}};
    if (action_for(planned.verdict) == ConflictAction::keep) {
      return outcome;
    }
    auto done = act(planned, outcome);
    if (!done) {
      if (done.error().kind == ErrorKind::io) {
        return std::move(done).error();
      }
      outcome.done = ConflictAction::keep;
      outcome.note = done.error().message;
    }
    return outcome;
  }

 private:
  Result<void> act(const Conflict& planned, ConflictOutcome& outcome) {
    TRY_ASSIGN(const auto now, finder_.judge(planned.path));
    if (!now || now->verdict != planned.verdict) {
      outcome.note = kChanged;
      return {};
    }
    switch (planned.verdict) {
      case ConflictVerdict::same_bytes:
      case ConflictVerdict::derived:
        return move_to_trash(planned, outcome);
      case ConflictVerdict::mergeable:
        return merge(planned, outcome);
      case ConflictVerdict::derived_removed:
        return remove(planned, outcome);
      case ConflictVerdict::differs:
      case ConflictVerdict::no_original:
      case ConflictVerdict::removed_content:
      case ConflictVerdict::unreadable:
        break;
    }
    return {};
  }

  Result<void> move_to_trash(const Conflict& conflict, ConflictOutcome& outcome) {
    TRY_ASSIGN(const auto kept, trash_.keep(disk_, conflict.path, now_));
    if (conflict.verdict == ConflictVerdict::same_bytes) {
      const auto original = base::hash_file(disk_, folder_.workspace(), conflict.original);
      if (!original || *original != kept.sha256) {
        outcome.note = kChanged;
        return trash_.erase(kept.item);
      }
    }
    return take_away(conflict, kept, ConflictAction::trash, outcome);
  }

  Result<void> merge(const Conflict& conflict, ConflictOutcome& outcome) {
    canon::ManifestMerge merge;
    TRY_ASSIGN(merge.copy,
               base::read_file(disk_, folder_.workspace(), conflict.path, scan::kLargestNote));
    merge.exists = [this](const std::string& path) { return finder_.exists(path); };
    merge.before_replacing = [this, &conflict](std::string_view replaced) -> Result<void> {
      TRY(trash_.keep_bytes(conflict.original, replaced, now_));
      return {};
    };
    TRY_ASSIGN(const auto kept, trash_.keep_bytes(conflict.path, merge.copy, now_));
    const auto merged = canon::merge_manifest(
        disk_, {folder_.workspace(), conflict.original, folder_.file("locks")}, now_, merge);
    if (!merged) {
      TRY(trash_.erase(kept.item));
      return merged.error();
    }
    return take_away(conflict, kept, ConflictAction::merge, outcome);
  }

  Result<void> remove(const Conflict& conflict, ConflictOutcome& outcome) {
    TRY_ASSIGN(const auto hash, base::hash_file(disk_, folder_.workspace(), conflict.path));
    TRY(record(conflict, "deleted"));
    TRY_ASSIGN(const auto unlinked,
               canon::unlink_unchanged(disk_, folder_.workspace(), conflict.path, hash));
    outcome.done =
        unlinked == canon::Unlinked::has_changed ? ConflictAction::keep : ConflictAction::remove;
    outcome.note = unlinked == canon::Unlinked::has_changed ? kChanged : "";
    return {};
  }

  /// The copy stands in the trash; only what stands there may leave the vault.
  Result<void> take_away(const Conflict& conflict,
                         const state::Trash::Kept& kept,
                         ConflictAction done,
                         ConflictOutcome& outcome) {
    TRY(record(conflict, kept.item.full_path()));
    TRY_ASSIGN(const auto unlinked,
               canon::unlink_unchanged(disk_, folder_.workspace(), conflict.path, kept.sha256));
    if (unlinked == canon::Unlinked::has_changed) {
      outcome.note = kChanged;
      return trash_.erase(kept.item);
    }
    outcome.done = done;
    outcome.trash = kept.item.full_path();
    return {};
  }

  Result<void> record(const Conflict& conflict, const std::string& detail) {
    return state_.audit().append({now_,
                                  state::AuditAction::resolve_conflict,
                                  conflict.path,
                                  std::string(to_string(conflict.verdict)),
                                  detail});
  }

  base::Disk& disk_;
  const state::StateFolder& folder_;
  state::StateDb& state_;
  ConflictFinder& finder_;
  state::Trash trash_;
  lineage::Timestamp now_;
};

}  // namespace

std::string_view to_string(ConflictKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::string_view to_string(ConflictVerdict verdict) {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

std::string_view to_string(ConflictAction action) {
  return kActionNames[static_cast<std::size_t>(action)];
}

ConflictAction action_for(ConflictVerdict verdict) {
  switch (verdict) {
    case ConflictVerdict::same_bytes:
    case ConflictVerdict::derived:
      return ConflictAction::trash;
    case ConflictVerdict::derived_removed:
      return ConflictAction::remove;
    case ConflictVerdict::mergeable:
      return ConflictAction::merge;
    case ConflictVerdict::differs:
    case ConflictVerdict::no_original:
    case ConflictVerdict::removed_content:
    case ConflictVerdict::unreadable:
      break;
  }
  return ConflictAction::keep;
}

Result<std::vector<Conflict>> find_conflicts(base::Disk& disk,
                                             const std::string& workspace,
                                             const ConflictSearch& search) {
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  TRY_ASSIGN(const auto listing, scan::VaultListing::list(*root));
  TRY_ASSIGN(const auto candidates, conflict_candidates(*root, listing));
  std::vector<Conflict> found;
  if (candidates.empty()) {
    return found;
  }
  TRY_ASSIGN(const auto removals, gather_removals(disk, workspace, listing, search.removals));
  ConflictFinder finder(disk, workspace, removals);
  for (const std::string& path : candidates) {
    TRY_ASSIGN(auto conflict, finder.judge(path));
    if (conflict && (search.agent.empty() || conflict->agent_id == search.agent)) {
      found.push_back(std::move(*conflict));
    }
  }
  return found;
}

Result<std::vector<Conflict>> Conflicts::find(const std::string& agent) {
  ConflictSearch search;
  search.agent = agent;
  // Looking makes nothing: a state.db that is missing stays so.
  if (folder_.has_state()) {
    TRY_ASSIGN(auto state, state::StateDb::open(folder_));
    TRY_ASSIGN(search.removals, state.tombstones().all());
  }
  return find_conflicts(disk_, folder_.workspace(), search);
}

Result<std::vector<ConflictOutcome>> Conflicts::resolve(const std::vector<Conflict>& conflicts) {
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const auto lock,
             state::PipelineLock::acquire(folder_, {"daybook conflicts resolve", now, wait_}));
  TRY_ASSIGN(auto state, state::StateDb::open(folder_));
  TRY_ASSIGN(const auto known, state.tombstones().all());
  TRY_ASSIGN(const auto root, disk_.open_root(folder_.workspace()));
  TRY_ASSIGN(const auto listing, scan::VaultListing::list(*root));
  TRY_ASSIGN(const auto removals, gather_removals(disk_, folder_.workspace(), listing, known));
  ConflictFinder finder(disk_, folder_.workspace(), removals);
  Resolver resolver(disk_, folder_, state, finder, now);
  std::vector<ConflictOutcome> outcomes;
  for (const Conflict& conflict : conflicts) {
    TRY_ASSIGN(auto outcome, resolver.resolve(conflict));
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace daybook::service
