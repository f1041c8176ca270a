// SPDX-License-Identifier: MIT
#include "gauntlet/rows/operation_trials.hpp"

#include "faults/operations.hpp"

#include <algorithm>

namespace daybook::gauntlet {

// The place in this list is part of a trial's number: new ones go to the end.
OperationTrials::OperationTrials()
    : operations_({faults::session_end(),
                   faults::resumed_session(),
                   faults::compaction(),
                   faults::removal(),
                   faults::reindexing(),
                   faults::acceptance(),
                   faults::unremoval(),
                   faults::draining(),
                   faults::import_of_claude(),
                   faults::import_of_codex(),
                   faults::resumed_elsewhere(),
                   faults::removal_of_spooled(),
                   faults::conflict_resolving(),
                   faults::rebuilding(),
                   faults::arrival(),
                   faults::remembering(),
                   faults::forgetting(),
                   faults::revoking()}) {}

std::vector<std::uint64_t> OperationTrials::numbers(std::optional<std::uint64_t> first,
                                                    std::size_t most) {
  if (first && most == 1) {
    return {*first};  // a trial that is repeated does not need the others
  }
  std::vector<std::uint64_t> chosen = first || most == kEvery
                                          ? choose(list(Calls::every), first, most)
                                          : some_of(list(Calls::sites), most);
  benches_.clear();
  return chosen;
}

/// Evenly; but at most three quarters are those that say most, so that the others are tried as
/// well.
std::vector<std::uint64_t> OperationTrials::some_of(const std::vector<std::uint64_t>& all,
                                                    std::size_t most) const {
  std::vector<std::uint64_t> telling;
  std::vector<std::uint64_t> others;
  for (const std::uint64_t number : all) {
    (says_most(number) ? telling : others).push_back(number);
  }
  if (telling.empty()) {
    return choose(all, {}, most);
  }
  std::vector<std::uint64_t> chosen = choose(telling, {}, std::min(telling.size(), 3 * most / 4));
  const std::vector<std::uint64_t> rest = choose(others, {}, most - chosen.size());
  chosen.insert(chosen.end(), rest.begin(), rest.end());
  std::sort(chosen.begin(), chosen.end());  // neighbours share what is made ready
  return chosen;
}

const faults::Bench& OperationTrials::bench(std::size_t operation) {
  if (operation >= operations_.size()) {
    throw std::out_of_range("there is no trial of that number");
  }
  std::unique_ptr<faults::Bench>& bench = benches_[operation];
  if (!bench) {
    bench = std::make_unique<faults::Bench>(operations_[operation]);
  }
  return *bench;
}

Complaints OperationTrials::told(std::size_t operation,
                                 const faults::Fault& fault,
                                 Complaints complaints) const {
  for (std::string& complaint : complaints) {
    complaint.append("\n      (").append(operations_[operation].name).append(", ");
    complaint.append(fault.to_text()).append(")");
  }
  return complaints;
}

}  // namespace daybook::gauntlet
