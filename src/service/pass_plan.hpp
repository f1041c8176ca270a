// SPDX-License-Identifier: MIT
//
// Vault and index -> what a pass has to do: which files came, went or changed by stat, which
// sessions have to be examined again because of them, which removals are new. Reads tombstones,
// names and stats, no other file, and changes no row. What it does change is what must not wait for
// the rows: a damaged index is set aside and what a crash left of a new one goes; tombstones get
// their second copy; what this device keeps beside the index of a session that has just been
// removed is forgotten. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "service/examination.hpp"
#include "service/known_vault.hpp"
#include "service/seal_keeper.hpp"
#include "service/unit_worker.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daybook::service {

enum class Reach : std::uint8_t {
  whole,   ///< every file is listed and looked at
  narrow,  ///< some sessions; the listing has no others
};

/// Stays where it is made: its workers look at its listing, tombstones and names.
struct PassPlan {
  using Index = scan::VaultListing::Index;

  PassPlan() = default;
  PassPlan(const PassPlan&) = delete;
  PassPlan& operator=(const PassPlan&) = delete;

  Reach reach = Reach::whole;
  KnownVault known;
  std::string state_id;
  capture::LearningGuard guard;
  bool guard_changed = false;  ///< what notes of something learned are held against
  bool doubtful = false;       ///< not one note is left, which is not believed: nothing is planned
  bool building = false;     ///< a new index, because there is none that can be brought up to date
  std::uint64_t secret = 0;  ///< of the fingerprints: a new index takes over the old one's
  std::int64_t looked_at_ns = 0;

  std::unique_ptr<base::Folder> root;
  std::optional<scan::VaultListing> listing;
  lineage::TombstoneSet tombstones;
  std::vector<lineage::Tombstone> tombstone_records;
  std::vector<std::pair<Index, ExaminedNote>> tombstone_notes;
  LazyNoteNames names;
  std::vector<std::unique_ptr<UnitWorker>> workers;

  scan::Survey survey;
  scan::Differences differences;
  std::vector<scan::Fingerprint> frozen;  ///< in folders that cannot be read now
  std::vector<UnitRange> units;           ///< to examine
  bool facts_changed = false;  ///< of tombstones or names: rows change though no file did
  bool removal_is_new = false;
  std::vector<std::string> notices;  ///< what was mended on the way, one sentence each

  /// The sweep's time is all there is to write.
  bool nothing_to_do() const;
  /// Folders that could not be listed, one a line.
  std::string unreadable() const;
  /// Whether what is known of a file falls under a tombstone, wherever it is now.
  bool removes(const index::FileRow& row) const;
};

struct PassPlanRequest {
  Extent extent = Extent::changes;
  unsigned threads = 0;
  Emptiness emptiness = Emptiness::believed;
  capture::LearningGuard guard;
};

/// A vault that cannot be listed is an error, and nothing has changed then.
Result<std::unique_ptr<PassPlan>> plan_pass(base::Disk& disk,
                                            const state::StateFolder& folder,
                                            state::StateDb& state,
                                            SealKeeper& seals,
                                            const PassPlanRequest& request);

/// Makes the plan's workers, when its listing stands.
Result<void> make_workers(PassPlan& plan,
                          base::Disk& disk,
                          const state::StateFolder& folder,
                          SealKeeper& seals,
                          unsigned threads);

}  // namespace daybook::service
