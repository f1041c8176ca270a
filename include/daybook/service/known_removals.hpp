// SPDX-License-Identifier: MIT
//
// Whether a session was removed, or something learned forgotten or revoked, although its rows are
// still there: a removal on this device may have been cut off, and a tombstone of another device
// may have come since the last sweep. Of the first sessions the marks are asked, which costs a stat
// each, and only then state.db, read only and without waiting; where many are asked about, that
// comes cheaper. Of single files one mark says whether any was removed. The names in memory/ are
// read only if the folder has changed since that sweep, and of the tombstones there only those that
// state.db does not know. Tombstones in a folder below memory/ wait for the next pass. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::service {

class KnownRemovals {
 public:
  KnownRemovals(base::Disk& disk, const state::StateFolder& folder, lineage::Timestamp last_sweep)
      : disk_(disk), folder_(folder), last_sweep_(last_sweep) {}
  bool removes(const lineage::SessionToken& session);
  /// One file of a session that stays. Also by state.db, where a pass puts a tombstone at its
  /// beginning, while the rows go at its end.
  bool removes_file(std::string_view workspace_path);
  /// All of them, in no order. As removes_file().
  std::vector<std::string> removed_files();
  bool removes_learning(std::uint64_t id, std::string_view agent);

 private:
  /// In state.db: what it removes, and which tombstones those are, by token and time.
  struct Copies {
    lineage::TombstoneSet removals;
    std::set<std::pair<lineage::SessionToken, std::int64_t>> tombstones;
  };
  const Copies& copies();
  const lineage::TombstoneSet& arrived();
  bool may_lack_files();
  Result<void> look_for_arrivals(lineage::TombstoneSet& removals);

  base::Disk& disk_;
  const state::StateFolder& folder_;
  lineage::Timestamp last_sweep_;
  int sessions_asked_ = 0;
  std::optional<Copies> copies_;
  std::optional<lineage::TombstoneSet> arrived_;
  std::optional<bool> may_lack_files_;
};

}  // namespace daybook::service
