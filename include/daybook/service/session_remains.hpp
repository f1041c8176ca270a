// SPDX-License-Identifier: MIT
//
// The row of a session -> what is left of it, although a tombstone has come since the last sweep,
// or a removal was cut off: the row as the next pass will make it, so that neither the sentence nor
// the times of a note that is gone are told. Reads only; one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/service/known_removals.hpp"

#include <optional>
#include <vector>

namespace daybook::service {

/// The row has its paths. Nothing: the session was removed, or all that it had.
Result<std::optional<index::SessionRow>> what_remains(index::Reader& reader,
                                                      KnownRemovals& removals,
                                                      index::SessionRow session);

/// The same of many, whose paths need not be filled. What is left keeps its order.
Result<void> keep_what_remains(index::Reader& reader,
                               KnownRemovals& removals,
                               std::vector<index::SessionRow>& sessions);

}  // namespace daybook::service
