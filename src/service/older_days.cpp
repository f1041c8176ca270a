// SPDX-License-Identifier: MIT
#include "service/older_days.hpp"

#include "daybook/lineage/noise.hpp"

#include <limits>
#include <utility>

namespace daybook::service {
namespace {

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

}  // namespace

projection::OlderSessions without_noise(index::SessionCounts counted,
                                        const std::vector<std::string>& noise) {
  constexpr std::size_t kNoise = std::numeric_limits<std::size_t>::max();
  const lineage::NoiseRules rules(noise);
  projection::OlderSessions kept;
  std::vector<std::size_t> places;
  for (std::string& project : counted.projects) {
    const bool is_noise = rules.is_noise(project);
    places.push_back(is_noise ? kNoise : kept.projects.size());
    if (!is_noise) {
      kept.projects.push_back(std::move(project));
    }
  }
  for (const index::SessionCounts::Count& some : counted.counts) {
    if (places[some.project] != kNoise) {
      kept.counts.push_back({{some.day * kDayMs}, places[some.project], some.sessions});
    }
  }
  return kept;
}

Result<std::vector<projection::OlderDay>> OlderDays::of(index::Reader& reader,
                                                        const std::string& agent_id,
                                                        index::Days days,
                                                        const std::vector<std::string>& noise) {
  if (noise != noise_) {
    known_.clear();
    noise_ = noise;
  }
  TRY_ASSIGN(const auto changes, reader.day_changes(agent_id, days));
  DaysOfAgent& of_agent = known_[agent_id];
  if (of_agent.number != changes.agent) {
    of_agent = {changes.agent, {}};
  }
  auto& known = of_agent.days;
  known.erase(known.begin(), known.lower_bound(days.first));
  index::Days unknown;
  for (std::int64_t day = days.first; day <= days.last; ++day) {
    const std::int64_t number = changes.of(day);
    const auto [found, is_new] = known.try_emplace(day);
    if (is_new || found->second.changes != number) {
      found->second = {number, {}};
      unknown = {unknown.last < unknown.first ? day : unknown.first, day};
    }
  }
  // From the first of them to the last in one go: mostly there is one, or all are new.
  if (unknown.first <= unknown.last) {
    auto counted = reader.count_days(agent_id, unknown);
    if (!counted) {
      known_.clear();  // those that are unknown must not be taken for empty
      return std::move(counted).error();
    }
    for (projection::OlderDay& day :
         projection::sum_up_days(without_noise(std::move(counted).value(), noise))) {
      known[day.day.ms / kDayMs].day = std::move(day);
    }
  }
  std::vector<projection::OlderDay> found;
  for (auto day = known.lower_bound(days.first); day != known.upper_bound(days.last); ++day) {
    if (day->second.day.sessions > 0) {
      found.push_back(day->second.day);
    }
  }
  return found;
}

}  // namespace daybook::service
