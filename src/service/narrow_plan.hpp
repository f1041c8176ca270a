// SPDX-License-Identifier: MIT
//
// Paths that have probably changed -> a plan for just their sessions and for those that link to
// what came or went; its cost does not grow with the vault. Where that is not enough to be right (a
// tombstone, a folder, a note that came or went while links go by name, an index that has to be
// built) there is no such plan, and the caller plans a whole pass. What was not named is not
// looked at: a later whole pass finds it. Changes nothing. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "service/pass_plan.hpp"
#include "service/seal_keeper.hpp"

#include <memory>
#include <span>
#include <string>

namespace daybook::service {

/// Nothing: it takes a whole pass. `index` is open for change, `hints` are workspace-relative.
Result<std::unique_ptr<PassPlan>> plan_narrow_pass(base::Disk& disk,
                                                   const state::StateFolder& folder,
                                                   state::StateDb& state,
                                                   index::OpenedIndex index,
                                                   SealKeeper& seals,
                                                   const capture::LearningGuard& guard,
                                                   std::span<const std::string> hints);

}  // namespace daybook::service
