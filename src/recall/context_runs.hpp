// SPDX-License-Identifier: MIT
//
// How earlier runs of one session ended -> those that it is reminded of, as the policy allows. The
// index tells of them; the note of each that is named is looked at again. Reads only; one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/recall/run_ranking.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/state/run_policy.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace daybook::recall {

struct ChosenRuns {
  std::vector<RecoveredRun> runs;  ///< best first
  std::uint64_t ranked = 0;        ///< that may be told
  std::uint64_t unreadable = 0;    ///< changed or gone since they were indexed
  std::vector<std::string> over;   ///< ids of those beyond max_prompt_entries
};

Result<ChosenRuns> choose_runs(index::Reader& reader,
                               service::NoteReader& notes,
                               service::KnownRemovals& removals,
                               const lineage::SessionToken& session,
                               const state::RunMemoryPolicy& policy,
                               std::string_view query,
                               lineage::Timestamp now);

}  // namespace daybook::recall
