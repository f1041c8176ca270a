// SPDX-License-Identifier: MIT
//
// When MEMORY.md says something else though no file has changed: the next session leaves the window
// of thirty days, or one from the future enters it, or something learned expires. Reads three rows.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <optional>

namespace daybook::service {

Result<std::optional<lineage::Timestamp>> next_window_change(store::Database& index,
                                                             lineage::Timestamp now);

}  // namespace daybook::service
