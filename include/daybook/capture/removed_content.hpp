// SPDX-License-Identifier: MIT
//
// Removals in force + a file -> whether it holds what was removed, wherever it stands; and the
// trash of the state folder without such files. What was cleaned away before a removal must not
// outlive it there. Reads each file it is asked about once; one thread. A failed erasure leaves the
// rest, and the pass tries again.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_folder.hpp"

#include <string>
#include <string_view>

namespace daybook::capture {

/// By its session, its path, its body, or the path of the file that it is a conflict copy of.
/// `root` is the workspace, or another folder with files under their paths in it.
Result<bool> holds_removed_content(base::Disk& disk,
                                   const std::string& root,
                                   const std::string& path,
                                   const lineage::TombstoneSet& removals);

/// Whether a projection links to a removed file, or to one of a removed session.
bool links_to_removed(std::string_view projection, const lineage::TombstoneSet& removals);

/// Takes what was removed out of the trash.
Result<void> erase_from_trash(base::Disk& disk,
                              const state::StateFolder& folder,
                              const lineage::TombstoneSet& removals);

}  // namespace daybook::capture
