// SPDX-License-Identifier: MIT
#include "daybook/recall/behalf.hpp"

#include "daybook/lineage/project.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daybook::recall {

Result<std::optional<index::SessionRow>> session_called(index::Reader& reader,
                                                        const std::string& name,
                                                        const std::string& agent) {
  std::optional<index::SessionRow> called;
  if (name.empty()) {
    return called;
  }
  // A token says which session it is, and so does an identity, from which the token follows.
  for (const auto& token : {lineage::SessionToken::parse(name),
                            std::optional(lineage::SessionToken::derive(agent, name))}) {
    if (token) {
      TRY_ASSIGN(called, reader.session(*token));
    }
    if (called && called->agent_id == agent) {
      return called;
    }
  }
  called.reset();
  // What is left are ids of sessions that have a key, too.
  TRY_ASSIGN(const auto tokens, reader.sessions_named(name));
  for (const lineage::SessionToken& token : tokens) {
    TRY_ASSIGN(auto session, reader.session(token));
    if (!session || session->agent_id != agent) {
      continue;
    }
    if (called) {
      return std::optional<index::SessionRow>();
    }
    called = std::move(session);
  }
  return called;
}

bool SeenScopes::sees(const lineage::LearningScope& scope) const {
  switch (scope.kind) {
    case lineage::ScopeKind::workspace:
      return true;
    case lineage::ScopeKind::project:
      return !project.empty() && lineage::names_project(project, scope.id);
    case lineage::ScopeKind::session:
      break;
  }
  return std::find(sessions.begin(), sessions.end(), scope.id) != sessions.end();
}

SeenScopes scopes_of(const std::optional<index::SessionRow>& session, const std::string& name) {
  SeenScopes scopes;
  if (session) {
    scopes.sessions = {session->token.to_string(), session->session_key, session->session_id};
    scopes.project = session->project;
  } else {
    scopes.sessions = {name};
  }
  std::erase(scopes.sessions, std::string());
  return scopes;
}

Behalf behalf_of(const std::optional<index::SessionRow>& session,
                 const std::string& name,
                 const std::string& agent,
                 state::SearchVisibility visibility) {
  if (!session) {
    return {lineage::SessionToken::derive(agent, name), agent, {}, scopes_of(session, name)};
  }
  const bool shares = visibility == state::SearchVisibility::learning_scopes;
  return {session->token,
          session->agent_id,
          shares ? session->project : std::string(),
          scopes_of(session, name)};
}

}  // namespace daybook::recall
