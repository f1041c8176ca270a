// SPDX-License-Identifier: MIT
//
// A wish to forget -> a tombstone, and the files gone. The tombstone is written first, in the vault
// and in state.db, so that whatever happens afterwards nothing comes back; then the files are
// unlinked, each only after it was found to be what the removal says; the rows, the full text and
// every byte of the text in the state folder go with the pass that follows. Each step is recorded
// before it is taken: a removal that was cut off is finished by the next pass. Called by the holder
// of the pipeline lock.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::capture {

struct RemovalTarget {
  enum class By : std::uint8_t { session, token, path };
  By by = By::session;
  std::string text;   ///< key or id of the session, token, or workspace-relative path
  std::string agent;  ///< empty: any
};

struct RemovalPlan {
  lineage::Tombstone tombstone;
  std::vector<std::string> files;  ///< that will be unlinked, as they are now
};

/// What a removal would do. usage when the target is unknown or means several sessions.
Result<RemovalPlan> plan_removal(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 index::Reader& reader,
                                 const RemovalTarget& target,
                                 const std::string& reason,
                                 lineage::Timestamp now);

/// Tombstone, copy, files. The pass that follows does the rest.
Result<void> carry_out(base::Disk& disk,
                       const state::StateFolder& folder,
                       state::StateDb& state,
                       const RemovalPlan& plan,
                       lineage::Timestamp now);

/// Finishes removals that were cut off; a sentence each.
Result<std::vector<std::string>> resume_removals(base::Disk& disk,
                                                 const state::StateFolder& folder,
                                                 state::StateDb& state,
                                                 lineage::Timestamp now);

/// The removals in force: files of tombstones in the vault, and their copies.
Result<lineage::TombstoneSet> removals_here(base::Disk& disk,
                                            const state::StateFolder& folder,
                                            state::StateDb& state);

/// Files that hold removed content again, whatever brought them back.
Result<std::vector<std::string>> purgeable(index::Reader& reader);

/// Unlinks those that still are what they were, verified once more; returns which.
Result<std::vector<std::string>> purge(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       state::StateDb& state,
                                       const std::vector<std::string>& paths,
                                       lineage::Timestamp now);

/// Lifts a removal here and in the vault; the text does not come back by that, but may. How many
/// tombstones there were.
Result<std::size_t> lift(base::Disk& disk,
                         const state::StateFolder& folder,
                         state::StateDb& state,
                         lineage::SessionToken token,
                         lineage::Timestamp now);

/// Writes the tombstones again whose file is missing from the vault; a sentence each.
Result<std::vector<std::string>> restore_tombstones(base::Disk& disk,
                                                    const state::StateFolder& folder,
                                                    state::StateDb& state);

}  // namespace daybook::capture
