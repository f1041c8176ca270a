// SPDX-License-Identifier: MIT
#include "daybook/state/telemetry_ranks.hpp"

#include "daybook/state/telemetry.hpp"
#include "daybook/store/database.hpp"

namespace daybook::state {

std::map<lineage::SessionToken, double> telemetry_ranks(
    const StateFolder& folder,
    std::span<const lineage::SessionToken> sessions,
    lineage::Timestamp now) {
  std::map<lineage::SessionToken, double> ranks;
  auto database = store::Database::open(folder.file("state.db"), {store::Access::read_only, 0});
  if (!database) {
    return ranks;
  }
  Telemetry telemetry(*database);
  for (const lineage::SessionToken& token : sessions) {
    const auto known = telemetry.get(token);
    if (!known) {
      return {};
    }
    if (*known) {
      ranks.emplace(token, (*known)->rank_at(now));
    }
  }
  return ranks;
}

}  // namespace daybook::state
