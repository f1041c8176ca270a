// SPDX-License-Identifier: MIT
//
// Months as the full text is cut into them: numbers that grow by one a month, in UTC. Pure; any
// thread.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <cstdint>

namespace daybook::index {

/// year * 12 + month - 1 of a time.
std::int64_t month_of(lineage::Timestamp time);

/// The first moment of a month.
lineage::Timestamp begin_of_month(std::int64_t month);

}  // namespace daybook::index
