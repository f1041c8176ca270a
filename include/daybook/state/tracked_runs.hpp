// SPDX-License-Identifier: MIT
//
// Which runs the policy keeps, in state.db, and the report of how that was last brought up to what
// the index holds. The notes themselves are never deleted for a policy: what is pruned is forgotten
// here and told no more. Belongs to the StateDb's thread; a failed call changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/run_policy.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/store/database.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daybook::state {

/// How a session ended once, by the name of the summary that tells of it.
struct KnownRun {
  lineage::SessionToken session;
  lineage::Timestamp captured_at;
  lineage::Timestamp recorded_at;
  auto operator<=>(const KnownRun&) const = default;
};

enum class RunFate : std::uint8_t { tracked, ttl_expired, session_overflow };

/// What the policy makes of each; by session, the newest of each first, as which they are sorted.
std::vector<RunFate> fates_of(std::vector<KnownRun>& runs,
                              const RunMemoryPolicy& policy,
                              lineage::Timestamp now);

inline constexpr std::size_t kMostMaintenanceFindings = 32;

struct RunMaintenance {
  struct Finding {
    std::string action;   ///< `forget_run`, `scan_runs`
    std::string reason;   ///< `ttl_expired`, `session_overflow`, `orphan`, `scan_failed`
    std::string path;     ///< `memory/` and the summary's name, or what could not be read
    std::string session;  ///< token; empty: of none
    std::string message;
    bool operator==(const Finding&) const = default;
  };
  std::string source;  ///< `startup` (a whole pass), `policy`
  lineage::Timestamp checked_at;
  bool index_rebuilt = false;
  std::uint64_t pruned_ttl = 0;
  std::uint64_t pruned_overflow = 0;
  std::uint64_t pruned_orphans = 0;
  std::uint64_t scan_errors = 0;
  std::uint64_t prune_errors = 0;
  std::vector<Finding> findings;  ///< at most kMostMaintenanceFindings; no text of notes
  /// Of the index that it speaks of: `ID GENERATION`; empty: begin anew.
  std::string index;
  std::optional<lineage::Timestamp> next_due;  ///< when the next run becomes too old

  bool failed() const { return scan_errors + prune_errors > 0; }
  std::uint64_t pruned() const { return pruned_ttl + pruned_overflow + pruned_orphans; }
  bool operator==(const RunMaintenance&) const = default;
};

/// Which runs there are now, and of the report `index`. Nothing: nobody knows.
using FindRuns = std::function<Result<std::optional<std::vector<KnownRun>>>(RunMaintenance&)>;

class TrackedRuns {
 public:
  explicit TrackedRuns(store::Database& database) : database_(database) {}

  /// Brings what is tracked up to `runs`, the report's counts and findings with it, counts, and
  /// keeps the report; all in one transaction.
  Result<RunMaintenance> maintain(std::vector<KnownRun> runs, RunMaintenance report);
  /// The same in the transaction in which the policy is changed first, and audited; `find` is asked
  /// in it, too, so that nobody lets go by the former policy in between. Without runs what is
  /// tracked stays, and so does the last report: nothing.
  Result<std::optional<RunMaintenance>> change_policy(const ChangePolicy& change,
                                                      RunMaintenance report,
                                                      const FindRuns& find);
  /// Of a maintenance that could not be done: in place of the last report.
  Result<void> put_report(const RunMaintenance& report);
  Result<std::optional<RunMaintenance>> report();
  Result<void> erase(const lineage::SessionToken& token);

 private:
  Result<std::vector<KnownRun>> tracked();
  Result<void> follow(std::vector<KnownRun> runs,
                      const RunMemoryPolicy& policy,
                      RunMaintenance& report);

  store::Database& database_;
};

/// The last report, without opening state.db for writing; nothing where there is none.
Result<std::optional<RunMaintenance>> last_run_maintenance(const StateFolder& folder);

}  // namespace daybook::state
