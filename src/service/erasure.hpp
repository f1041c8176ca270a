// SPDX-License-Identifier: MIT
//
// Removed text -> in no byte of any file of the state folder. Rows and full text are gone by then;
// what is left are free pages, write-ahead logs, databases that were set aside, copies of replaced
// projections and the trash. Asked for by a mark in state.db, which stays until all is done: beside
// a reader that holds it up the answer is busy, and the next pass tries again.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

namespace daybook::service {

Result<bool> is_erasure_pending(state::StateDb& state);

Result<void> erase_traces(const state::StateFolder& folder, state::StateDb& state);

}  // namespace daybook::service
