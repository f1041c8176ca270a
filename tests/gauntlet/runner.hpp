// SPDX-License-Identifier: MIT
//
// A row and the numbers of its trials -> what held and what did not. The trials run in worker
// processes, each with a folder of its own for temporary files, so that one that crashes or hangs
// is a failure with a number and not the end of the run; its worker is replaced by another that
// goes on behind it. One thread.
#pragma once

#include "gauntlet/row.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace daybook::gauntlet {

struct Failure {
  std::uint64_t number = 0;
  Complaints complaints;
};

struct RowResult {
  std::size_t trials = 0;
  std::vector<Failure> failures;  ///< by number
  std::string skipped;            ///< why, if this machine does not let the row be tried
  std::map<std::string, std::uint64_t> counts;
  double seconds = 0;
};

struct RunPlan {
  std::optional<std::uint64_t> first;
  std::size_t most = 0;
  int workers = 1;
  bool stop_at_failure = false;  ///< the rest of the trials is then not made
  std::function<bool()> stopped = [] { return false; };  ///< the same, when somebody says so
  /// Told how many trials are done, of how many.
  std::function<void(std::size_t done, std::size_t of)> progress;
};

RowResult run_row(const Row& row, const RunPlan& plan);

}  // namespace daybook::gauntlet
