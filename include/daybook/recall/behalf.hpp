// SPDX-License-Identifier: MIT
//
// On whose behalf a question is asked -> what it may see: a session its own notes and, by the
// policy, those of other sessions of its project; of what was learned its own scopes. The session
// is meant exactly: by its token, key or id, never by the beginning of one, because a new session's
// id may well begin another's.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/state/run_policy.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::recall {

/// Where a session sees what was learned; the workspace's own scope is everybody's.
struct SeenScopes {
  std::vector<std::string> sessions;  ///< the names of the session: token, key, id
  std::string project;                ///< a scope may also name its last part; empty: none

  bool sees(const lineage::LearningScope& scope) const;
};

/// Of a session that the vault does not know: only what names it so.
SeenScopes scopes_of(const std::optional<index::SessionRow>& session, const std::string& name);

struct Behalf {
  lineage::SessionToken session;  ///< also of one that the vault does not know yet
  std::string agent;
  std::string project;  ///< whose other sessions may be seen, too; empty: no others
  SeenScopes scopes;    ///< of what was learned

  bool sees(const index::FileRow& note) const {
    return note.fields.agent_id == agent &&
           (note.session == session || (!project.empty() && note.fields.project == project));
  }
};

/// The one session of the agent that is called so. Of several the one whose token it is, then whose
/// key, or id if it has no key; nothing when that still means several.
Result<std::optional<index::SessionRow>> session_called(index::Reader& reader,
                                                        const std::string& name,
                                                        const std::string& agent);

/// `session`: as session_called() found it. Without one, of the agent, by its name alone.
Behalf behalf_of(const std::optional<index::SessionRow>& session,
                 const std::string& name,
                 const std::string& agent,
                 state::SearchVisibility visibility);

}  // namespace daybook::recall
