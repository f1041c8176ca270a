// SPDX-License-Identifier: MIT
//
// Tombstone files + their copies in state.db -> the removals that a capture has to honour. A file
// whose copy is known is not opened; one that cannot be read is honoured by the token in its name.
#pragma once

#include "capture/session_names.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_db.hpp"

#include <string>

namespace daybook::capture {

Result<lineage::TombstoneSet> removals_in_force(base::Disk& disk,
                                                const std::string& workspace,
                                                const SessionNames& names,
                                                state::StateDb& state);

/// For whoever has no time to open state.db: all of the files, and only they.
Result<lineage::TombstoneSet> removals_in_vault(base::Disk& disk,
                                                const std::string& workspace,
                                                const SessionNames& names);

}  // namespace daybook::capture
