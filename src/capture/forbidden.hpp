// SPDX-License-Identifier: MIT
//
// A session to be captured, and the removals in force -> whether one of them forbids it. Asked
// before anything is written, again under the session's lock, and once more when a capture that was
// cut off is finished: in all three places by the same rule. Pure.
#pragma once

#include "daybook/capture/spool.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/tombstone_set.hpp"

#include <optional>
#include <vector>

namespace daybook::capture {

/// Its own first, then that of the id, which real Signet programs use even where there is a key.
std::vector<lineage::SessionToken> tokens_of(const lineage::SessionFields& session);

/// The session whose removal forbids it: this one, or the one that it is a part of, since a
/// sub-agent or a fork repeats what was said there. A text that was removed with another session
/// counts as this one. Nothing: it is allowed.
std::optional<lineage::SessionToken> forbidden_by(const lineage::TombstoneSet& removals,
                                                  const SpoolRecord& record);

}  // namespace daybook::capture
