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

namespace daybook::service {

/// The row has its paths. Nothing: the session was removed, or all that it had.
Result<std::optional<index::SessionRow>> what_remains(index::Reader& reader,
                                                      KnownRemovals& removals,
                                                      index::SessionRow session);

/// As Reader::sessions(), of what is left: the filter and the order are those of the rows as the
/// next pass will make them. Each removed file costs a look-up.
Result<void> sessions_that_remain(index::Reader& reader,
                                  KnownRemovals& removals,
                                  const index::SessionFilter& filter,
                                  const index::Reader::SessionVisitor& visit);

}  // namespace daybook::service
