// SPDX-License-Identifier: MIT
//
// Vault and index -> whether the index speaks of the files as they are now. By stat, as a pass
// would look; files that were written so shortly before they were indexed that stat cannot tell are
// read and compared by hash, within bounds. Writes nothing, takes no lock; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>

namespace daybook::service {

struct Freshness {
  std::uint64_t scanned = 0;  ///< files in the vault
  std::uint64_t added = 0;
  std::uint64_t changed = 0;  ///< since they were indexed, or impossible to tell cheaply
  std::uint64_t removed = 0;
  bool links_changed = false;  ///< one that goes by name leads elsewhere by now

  bool fresh() const { return added == 0 && changed == 0 && removed == 0 && !links_changed; }
};

/// not_found or damaged when there is no index that can be used; no_workspace or io when the vault
/// cannot be listed.
Result<Freshness> look_at_freshness(base::Disk& disk, const state::StateFolder& folder);

}  // namespace daybook::service
