// SPDX-License-Identifier: MIT
//
// Conflict copies that synchronisers left in the vault -> a list that says of each what would be
// done with it, and, once a person has said yes, that done. A copy with its original's bytes, or of
// MEMORY.md, goes to the trash of the state folder; one of a manifest is merged into it and then
// goes there; any other that differs stays, because nothing tells which of the two is right.
// Looking changes nothing, takes no lock, and reads only files that are named like copies, and
// their originals. Resolving holds the pipeline lock, looks at each file again directly before it
// acts, and leaves rows and MEMORY.md to the pass that the caller runs next. A copy is durable in
// the trash before it leaves the vault, so that a crash loses nothing and the next run goes on.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::service {

enum class ConflictKind : std::uint8_t {
  summary,
  transcript,
  compaction,
  manifest,
  tombstone,
  note,
  memory_md,
};

enum class ConflictVerdict : std::uint8_t {
  same_bytes,       ///< as the original: to the trash
  derived,          ///< of MEMORY.md: to the trash
  derived_removed,  ///< of MEMORY.md, and it names a removed session: deleted, kept nowhere
  mergeable,        ///< of a manifest: merged, then to the trash
  differs,          ///< stays
  no_original,      ///< stays
  removed_content,  ///< stays: `remove --purge` is for it
  unreadable,       ///< stays
};

enum class ConflictAction : std::uint8_t { trash, merge, remove, keep };

struct Conflict {
  std::string path;      ///< workspace-relative
  std::string original;  ///< what it is a copy of; may not be there
  std::string agent_id;  ///< whose; `default` for what belongs to nobody
  ConflictKind kind = ConflictKind::note;
  ConflictVerdict verdict = ConflictVerdict::differs;
  std::string reason;  ///< a clause for people; may hold text of the file
};

/// `memory-md`, `same-bytes`, `trash`, …: stable names.
std::string_view to_string(ConflictKind kind);
std::string_view to_string(ConflictVerdict verdict);
std::string_view to_string(ConflictAction action);

ConflictAction action_for(ConflictVerdict verdict);

struct ConflictSearch {
  std::string agent;                           ///< empty: any
  std::vector<lineage::Tombstone> removals{};  ///< known beside those that lie in the vault
};

/// By path. Needs no state folder; a vault without conflict copies costs its listing.
Result<std::vector<Conflict>> find_conflicts(base::Disk& disk,
                                             const std::string& workspace,
                                             const ConflictSearch& search = {});

struct ConflictOutcome {
  Conflict conflict;
  ConflictAction done = ConflictAction::keep;
  std::string trash;  ///< full path of the copy that was kept; empty: none
  std::string note;   ///< why it was left although something was to be done
};

class Conflicts {
 public:
  /// All must outlive it. `wait`: for the pipeline lock.
  Conflicts(base::Disk& disk,
            const state::StateFolder& folder,
            const base::Clock& clock,
            std::chrono::milliseconds wait = std::chrono::seconds(5))
      : disk_(disk), folder_(folder), clock_(clock), wait_(wait) {}

  /// find_conflicts() that also honours the removals which only this device knows.
  Result<std::vector<Conflict>> find(const std::string& agent = {});

  /// Does what each verdict says, where it still holds. One outcome for each that was handed in.
  Result<std::vector<ConflictOutcome>> resolve(const std::vector<Conflict>& conflicts);

 private:
  base::Disk& disk_;
  const state::StateFolder& folder_;
  const base::Clock& clock_;
  std::chrono::milliseconds wait_;
};

}  // namespace daybook::service
