// SPDX-License-Identifier: MIT
//
// How far the captures of state.db have come by a pass: their files have rows, MEMORY.md shows
// them. Called by the holder of the pipeline lock. Not synced, since files and rows say it
// themselves: lost, the next pass notes it again.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/state_db.hpp"

#include <string>
#include <vector>

namespace daybook::service {

/// Captures whose files have their rows now. `paths`: only these were looked at; empty: all.
Result<void> note_captures_indexed(state::StateDb& state,
                                   const std::vector<std::string>& paths,
                                   lineage::Timestamp pass_began);

/// And that MEMORY.md shows them, unless one was withheld. Receipts that have had their time go.
Result<void> note_captures_published(state::StateDb& state,
                                     const PassReport& report,
                                     lineage::Timestamp now);

}  // namespace daybook::service
