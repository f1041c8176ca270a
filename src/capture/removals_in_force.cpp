// SPDX-License-Identifier: MIT
#include "capture/removals_in_force.hpp"

#include "daybook/capture/tombstone_file.hpp"

#include <set>
#include <utility>

namespace daybook::capture {

Result<lineage::TombstoneSet> removals_in_force(base::Disk& disk,
                                                const std::string& workspace,
                                                const SessionNames& names,
                                                state::StateDb& state) {
  lineage::TombstoneSet removals;
  std::set<std::pair<lineage::SessionToken, std::int64_t>> known;
  TRY_ASSIGN(const auto copies, state.tombstones().all());
  for (const lineage::Tombstone& tombstone : copies) {
    removals.add(tombstone);
    if (tombstone.removed_at) {
      known.emplace(tombstone.token, tombstone.removed_at->ms);
    }
  }
  for (const NamedFile& file : names.tombstones) {
    if (!known.contains({file.name.token, file.name.captured_at.ms})) {
      TRY(add_tombstone_file(disk, workspace, file.path, file.name, removals));
    }
  }
  return removals;
}

Result<lineage::TombstoneSet> removals_in_vault(base::Disk& disk,
                                                const std::string& workspace,
                                                const SessionNames& names) {
  lineage::TombstoneSet removals;
  for (const NamedFile& file : names.tombstones) {
    TRY(add_tombstone_file(disk, workspace, file.path, file.name, removals));
  }
  return removals;
}

}  // namespace daybook::capture
