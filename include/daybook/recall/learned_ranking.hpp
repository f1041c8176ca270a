// SPDX-License-Identifier: MIT
//
// What was learned and what is asked now -> what of it may be told, best first. Facts, preferences
// and decisions that a prompt may see, of the scopes that the session sees. When something answers
// the question, only that is told; when nothing does, nothing, unless the question asks for what is
// remembered, or there is none: then all of it, the nearest scope and the newest first. Pure.
#pragma once

#include "daybook/index/learnings.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/recall/behalf.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace daybook::recall {

struct RankedLearning {
  index::LearningRow row;
  std::int64_t score = 0;
};

/// Fact, preference or decision, made by then and shown at that time, and of a scope that is seen.
bool may_be_told(const lineage::Learning& learning,
                 const SeenScopes& scopes,
                 lineage::Timestamp now);

/// Of those that may be told. 400 if the content holds the question as a whole, 40 for each of its
/// words that is one of the content's; words that say nothing do not count.
std::vector<RankedLearning> rank_learnings(std::vector<index::LearningRow> learnings,
                                           std::string_view query);

/// Whether a question asks for memory itself: `what do you remember of …`.
bool asks_for_memory(std::string_view query);

}  // namespace daybook::recall
