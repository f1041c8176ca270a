// SPDX-License-Identifier: MIT
//
// The runs that the index holds -> those that the policy keeps, in state.db, with a report of what
// was let go. After every whole pass, and when the policy is changed. Files are never touched.
// Failure leaves what was kept and the policy as they were. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/run_policy.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/tracked_runs.hpp"

#include <cstdint>
#include <optional>

namespace daybook::service {

/// What a whole pass has left in the index.
struct IndexedNow {
  std::string id;
  std::uint64_t generation = 0;
  bool rebuilt = false;
  lineage::Timestamp now;
};

/// Costs a look at the last report when neither index nor time have changed anything.
Result<void> maintain_runs(const state::StateFolder& folder,
                           state::StateDb& state,
                           const IndexedNow& indexed);

/// Of a pass that could not read the vault or the index.
Result<void> note_failed_maintenance(state::StateDb& state,
                                     const Error& error,
                                     lineage::Timestamp now);

/// Changes the policy in force, whoever changed it last, and lets go what it does not keep, in one
/// step. `change` is asked twice, first whether it can be at all. Without an index nobody knows
/// which runs there are: the next whole pass lets them go, and there is no report.
Result<std::optional<state::RunMaintenance>> set_run_policy(const state::StateFolder& folder,
                                                            state::StateDb& state,
                                                            const state::ChangePolicy& change,
                                                            lineage::Timestamp now);

struct RunCounts {
  std::uint64_t sessions = 0;  ///< that have a run
  std::uint64_t runs = 0;      ///< in the index
  std::uint64_t stale = 0;     ///< of those, beyond the policy
};

Result<RunCounts> count_runs(index::Reader& reader,
                             const state::RunMemoryPolicy& policy,
                             lineage::Timestamp now);

}  // namespace daybook::service
