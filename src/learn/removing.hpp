// SPDX-License-Identifier: MIT
//
// What revoking and forgetting begin with: a reason that a tombstone may keep, and the right to
// carry out removals. Whoever is cut off later leaves a record that the next pass finishes.
#pragma once

#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"

#include <cstdint>
#include <string>

namespace daybook::learn {

struct Removing {
  std::string reason;
  state::PipelineLock lock;
  state::StateDb state;
};

/// One that was cut off is finished first, so that the same wish again does not begin another.
Result<Removing> begin_removing(const Desk& desk,
                                const std::string& command,
                                const std::string& reason);

/// Of the first millisecond from now on of which no other tombstone of the note has its name: it
/// may have been revoked just before.
Result<lineage::Tombstone> tombstone_for(const Desk& desk,
                                         const std::string& agent_id,
                                         std::uint64_t id,
                                         lineage::TombstoneScope scope,
                                         const std::string& reason);

}  // namespace daybook::learn
