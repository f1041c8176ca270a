// SPDX-License-Identifier: MIT
//
// An agent has more active notes of a type than it may: the oldest ones are archived in place,
// those that a person wrote only when no other is left, and those of which nobody knows when they
// were written after those of which that is known.
// Never deletes; a note that cannot be changed stays as it is. A failure is told in the change and
// undoes nothing: what it comes after is done, and the next note tries again.
#pragma once

#include "learn/shelf.hpp"

#include <string>
#include <vector>

namespace daybook::learn {

/// What was archived goes into `change`. Called by the holder of the agent's lock. `spared`: paths
/// of those that a person has just let count, which would otherwise be put away again at once.
void archive_surplus(const Desk& desk,
                     const std::string& agent_id,
                     lineage::MemoryType type,
                     const std::vector<std::string>& spared,
                     Change& change);

/// By created_at, then id.
bool is_older(const lineage::Learning& one, const lineage::Learning& other);

}  // namespace daybook::learn
