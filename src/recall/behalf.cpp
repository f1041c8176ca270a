// SPDX-License-Identifier: MIT
#include "daybook/recall/behalf.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daybook::recall {

Result<std::optional<index::SessionRow>> session_called(index::Reader& reader,
                                                        const std::string& name,
                                                        const std::string& agent) {
  std::optional<index::SessionRow> called;
  TRY_ASSIGN(auto found, reader.find_sessions(name, agent));
  const auto only = [&](auto&& is_it) {
    std::size_t count = 0;
    for (index::SessionRow& session : found) {
      if (is_it(session)) {
        called = session;
        ++count;
      }
    }
    if (count > 1) {
      called.reset();
    }
    return count > 0;
  };
  static_cast<void>(only([&](const auto& session) { return session.token.to_string() == name; }) ||
                    only([&](const auto& session) { return session.session_key == name; }) ||
                    only([&](const auto& session) { return session.session_id == name; }));
  return called;
}

bool SeenScopes::sees(const lineage::LearningScope& scope) const {
  switch (scope.kind) {
    case lineage::ScopeKind::workspace:
      return true;
    case lineage::ScopeKind::project:
      return !project.empty() && (scope.id == project || project.ends_with("/" + scope.id));
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
