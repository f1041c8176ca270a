// SPDX-License-Identifier: MIT
//
// The last part of remembering, which an import takes for each record, too: a note that was judged
// gets an id that nobody has, and its file.
#pragma once

#include "daybook/canon/session_lock.hpp"
#include "learn/shelf.hpp"

#include <string>
#include <vector>

namespace daybook::learn {

/// While it is held no other process makes notes of that agent.
Result<canon::SessionLock> lock_agent(const Desk& desk, const std::string& agent_id);

/// Holds, or waits for a person.
bool is_live(const lineage::Learning& learning, lineage::Timestamp now);
/// A live note that says the same: of the same agent, kind and scope.
bool says_the_same(const Shelved& known, const lineage::Learning& wanted);

/// Those with the id 0 get a new one. Written, and told in `change`.
Result<void> keep(const Desk& desk,
                  Shelf& shelf,
                  std::vector<lineage::Learning> learnings,
                  Change& change);

/// Origin, status and tier, by who asks: an agent's procedure waits for a person unless the
/// configuration says otherwise.
void set_standing(lineage::Learning& learning, Actor actor, const parse::Config& config);

Error forgotten_error();

}  // namespace daybook::learn
