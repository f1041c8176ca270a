// SPDX-License-Identifier: MIT
//
// Runs of a session and what is asked now -> the runs, best first: by how much of the question
// their few words hold, then newest first. A run that holds nothing of it stays, behind the others.
// Pure.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::recall {

struct RecoveredRun {
  std::string id;  ///< the name of the summary that tells of it, without .md
  lineage::Timestamp recorded_at;
  lineage::RunRecord run;
  std::int64_t score = 0;
};

/// Sets the scores. Without a question all are 0 and the newest comes first.
void rank_runs(std::vector<RecoveredRun>& runs, std::string_view query);

}  // namespace daybook::recall
