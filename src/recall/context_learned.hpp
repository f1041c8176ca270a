// SPDX-License-Identifier: MIT
//
// What an agent has learned -> what of it a session is told now. The index tells of it; the note of
// each that is named is looked at again. Reads only; one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/recall/learned_ranking.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/note_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace daybook::recall {

inline constexpr std::size_t kMostLearnings = 12;

struct LearnedRequest {
  const std::string& agent;
  const std::string& query;
  const SeenScopes& scopes;
  lineage::Timestamp now;
};

struct ChosenLearnings {
  std::vector<RankedLearning> learnings;  ///< best first, at most kMostLearnings
  std::vector<std::uint64_t> over;        ///< ids of others that would have been told
  bool stale = false;                     ///< a note has changed or gone since it was indexed
};

Result<ChosenLearnings> choose_learnings(index::Reader& reader,
                                         service::NoteReader& notes,
                                         service::KnownRemovals& removals,
                                         const LearnedRequest& request);

}  // namespace daybook::recall
