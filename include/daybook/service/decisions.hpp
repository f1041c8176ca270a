// SPDX-License-Identifier: MIT
//
// Decisions of a person that outlast every pass: remove, purge, unremove, accept. Each takes the
// pipeline lock, records who decided what, and leaves the rows and MEMORY.md to the pass that the
// caller runs next. What is cut off is finished by that pass. One thread.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace daybook::service {

class Decisions {
 public:
  /// All must outlive it. `wait`: for the pipeline lock.
  Decisions(base::Disk& disk,
            const state::StateFolder& folder,
            const base::Clock& clock,
            std::chrono::milliseconds wait = std::chrono::seconds(5))
      : disk_(disk), folder_(folder), clock_(clock), wait_(wait) {}

  /// What a removal would do, by the index as it is. Changes nothing.
  Result<capture::RemovalPlan> plan_removal(const capture::RemovalTarget& target,
                                            const std::string& reason);
  Result<void> remove(const capture::RemovalPlan& plan);

  /// Files that hold removed content, by the index as it is.
  Result<std::vector<std::string>> purgeable();
  Result<std::vector<std::string>> purge(const std::vector<std::string>& paths);

  /// How many tombstones were lifted; not_found when none of that token is in force.
  Result<std::size_t> unremove(const std::string& token);

  /// Seals an immutable file as it is now. usage when something else is wrong with it, which a new
  /// seal would not mend.
  Result<void> accept(const std::string& path, const std::string& reason);

 private:
  base::Disk& disk_;
  const state::StateFolder& folder_;
  const base::Clock& clock_;
  std::chrono::milliseconds wait_;
};

}  // namespace daybook::service
