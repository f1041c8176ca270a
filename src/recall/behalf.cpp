// SPDX-License-Identifier: MIT
#include "daybook/recall/behalf.hpp"

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

Behalf behalf_of(const std::optional<index::SessionRow>& session,
                 const std::string& name,
                 const std::string& agent,
                 state::SearchVisibility visibility) {
  if (!session) {
    return {lineage::SessionToken::derive(agent, name), agent, {}};
  }
  const bool shares = visibility == state::SearchVisibility::learning_scopes;
  return {session->token, session->agent_id, shares ? session->project : std::string()};
}

}  // namespace daybook::recall
