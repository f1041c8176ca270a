// SPDX-License-Identifier: MIT
//
// What a pass's plan knows of removals: tombstone files and this device's copies -> the removals in
// force; and what this device keeps beside the index of a removal that is new here goes. What must
// not wait for the rows is written to the state at once; a pass that is cut off does it again. One
// thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "service/pass_plan.hpp"

#include <string>

namespace daybook::service {

/// The files and the copies of this device together; either alone is enough. The plan has its
/// listing and its workers.
Result<void> gather_tombstones(PassPlan& plan,
                               const state::StateFolder& folder,
                               state::StateDb& state);

/// A removal that is new here, by its fact: what this device keeps beside the index goes first.
Result<void> forget_removed(PassPlan& plan, state::StateDb& state, const std::string& fact);

}  // namespace daybook::service
