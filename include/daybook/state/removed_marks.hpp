// SPDX-License-Identifier: MIT
//
// The tokens of removed sessions as empty files in `removed/`, and one more there if single files
// were removed, for whoever has only milliseconds: a hook cannot open a database or list memory/,
// and a search would pay for state.db with each question. A mark is a hint to look closer, and its
// absence decides nothing either, since what a hook has spooled is judged again by whoever drains
// the spool. So nothing waits for the disk, a mark that cannot be made is left to the next whole
// pass, and one of a removal that was lifted stays. Any thread, any process.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/state/state_folder.hpp"

#include <span>

namespace daybook::state {

/// False in a folder of which no pass has made marks yet.
bool has_removed_marks(const StateFolder& folder);

/// Of those that remove a session, or single files, and are in force.
void mark_removed(const StateFolder& folder, std::span<const lineage::Tombstone> tombstones);

/// False: no pass knows of such a removal.
bool may_be_removed(const StateFolder& folder, std::span<const lineage::SessionToken> tokens);

/// False: no pass knows of a single file that was removed.
bool may_lack_files(const StateFolder& folder);

}  // namespace daybook::state
