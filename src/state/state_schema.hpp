// SPDX-License-Identifier: MIT
//
// The tables of state.db, and the way from an older form to this one.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>

namespace daybook::state {

inline constexpr std::int64_t kStateDbSchema = 4;

/// From `version` (0: no tables) to kStateDbSchema, one step after the other.
Result<void> bring_state_forward(store::Database& database, std::int64_t version);

}  // namespace daybook::state
