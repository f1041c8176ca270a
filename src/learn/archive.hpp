// SPDX-License-Identifier: MIT
//
// An agent has more active notes of a type than it may: the oldest ones are archived in place,
// those that a person wrote only when no other is left.
// Never deletes; a note that cannot be changed stays as it is.
#pragma once

#include "learn/shelf.hpp"

namespace daybook::learn {

/// What was archived goes into `change`. Called by the holder of the agent's lock.
Result<void> archive_surplus(const Desk& desk,
                             const std::string& agent_id,
                             lineage::MemoryType type,
                             Change& change);

/// By created_at, then id.
bool is_older(const lineage::Learning& one, const lineage::Learning& other);

}  // namespace daybook::learn
