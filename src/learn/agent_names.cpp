// SPDX-License-Identifier: MIT
#include "learn/agent_names.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/state/state_db.hpp"

#include <string_view>

namespace daybook::learn {

Result<AgentNames> AgentNames::known(const Desk& desk) {
  constexpr std::string_view kPrefix = "agents/";
  constexpr std::string_view kSuffix = "/MEMORY.md";
  AgentNames names;
  names.by_folded_.emplace("default", "default");
  TRY_ASSIGN(auto state, state::StateDb::open(desk.folder));
  TRY_ASSIGN(const auto published, state.publications().last_of_each());
  for (const state::PublicationRecord& record : published) {
    const std::string_view path = record.projection;
    if (path.starts_with(kPrefix) && path.ends_with(kSuffix)) {
      const std::string agent(
          path.substr(kPrefix.size(), path.size() - kPrefix.size() - kSuffix.size()));
      names.by_folded_.emplace(base::fold_case(agent), agent);
    }
  }
  return names;
}

Result<void> AgentNames::check(const std::string& agent_id) {
  const auto [known, is_new] = by_folded_.emplace(base::fold_case(agent_id), agent_id);
  if (is_new || known->second == agent_id) {
    return {};
  }
  return Error{ErrorKind::usage,
               "the agent '" + agent_id + "' differs from '" + known->second + "' only in case",
               {},
               "Use one spelling for each agent; here it is '" + known->second + "'."};
}

}  // namespace daybook::learn
