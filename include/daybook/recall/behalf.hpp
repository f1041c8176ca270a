// SPDX-License-Identifier: MIT
//
// On whose behalf a question is asked -> what it may see: a session its own notes and, by the
// policy, those of other sessions of its project. The session is meant exactly: by its token, key
// or id, never by the beginning of one, because a new session's id may well begin another's.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/state/run_policy.hpp"

#include <optional>
#include <string>

namespace daybook::recall {

struct Behalf {
  lineage::SessionToken session;  ///< also of one that the vault does not know yet
  std::string agent;
  std::string project;  ///< whose other sessions may be seen, too; empty: no others

  bool sees(const index::FileRow& note) const {
    return note.fields.agent_id == agent &&
           (note.session == session || (!project.empty() && note.fields.project == project));
  }
};

/// The one session that is called so. Of several the one whose token it is, then whose key; nothing
/// when that still means several.
Result<std::optional<index::SessionRow>> session_called(index::Reader& reader,
                                                        const std::string& name,
                                                        const std::string& agent);

/// `session`: as session_called() found it. Without one, of the agent, by its name alone.
Behalf behalf_of(const std::optional<index::SessionRow>& session,
                 const std::string& name,
                 const std::string& agent,
                 state::SearchVisibility visibility);

}  // namespace daybook::recall
