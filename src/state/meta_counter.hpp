// SPDX-License-Identifier: MIT
//
// A number among the small facts of state.db, grown by so many; one that is not there counts as 0.
// One statement, in the caller's transaction if there is one: failure leaves the number as it was.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <string_view>

namespace daybook::state {

Result<void> add_to_counter(store::Database& database, std::string_view name, std::uint64_t more);

}  // namespace daybook::state
