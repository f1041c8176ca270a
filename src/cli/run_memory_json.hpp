// SPDX-License-Identifier: MIT
//
// The policy of what is told of earlier runs, and how it was last carried out, as JSON: for policy
// and status.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/service/status.hpp"
#include "daybook/state/run_policy.hpp"
#include "daybook/state/tracked_runs.hpp"

#include <optional>

namespace daybook::cli {

using base::Json;

Json to_json(const state::RunMemoryPolicy& policy);
/// null when there was none yet.
Json to_json(const std::optional<state::RunMaintenance>& maintenance);
Json to_json(const service::RunMemoryStatus& status);

}  // namespace daybook::cli
