// SPDX-License-Identifier: MIT
//
// What a person or an agent calls a session -> its row: a token, key or id, the token of another
// form in a file's name, or the path of one of its files; for a person also the beginning of one.
// The beginning of an id means the session itself, not its sub-agents, whose ids begin with it. A
// session that was removed is told as such, also while its rows are still there, and never another
// one whose name begins like its own; a file that was removed names nothing, and the row is what
// remains without it. Reads only; one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

struct RemovedSession {
  lineage::SessionToken token;
  std::optional<lineage::Timestamp> at;  ///< nothing: its tombstone has only come, or says no time
};

struct SessionLookup {
  std::vector<index::SessionRow> found;   ///< one: that is it; several: ambiguous
  std::optional<RemovedSession> removed;  ///< it was removed; then nothing is found
};

enum class Naming : std::uint8_t {
  exact,
  beginning,  ///< what is no name may be the beginning of some
};

/// An empty agent means any.
Result<SessionLookup> look_up_session(index::Reader& reader,
                                      const state::StateFolder& folder,
                                      KnownRemovals& removals,
                                      const std::string& text,
                                      const std::string& agent,
                                      Naming naming);

}  // namespace daybook::service
