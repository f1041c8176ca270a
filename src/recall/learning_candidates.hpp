// SPDX-License-Identifier: MIT
//
// A question -> what was learned and holds any of its words, as one more month of documents: ranked
// together with the sessions, by the same measure. Only what may be told now, and of a project only
// if that is asked for or none is. One thread; reads only.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/learnings.hpp"
#include "daybook/index/question.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/relevance.hpp"
#include "daybook/recall/recall.hpp"

#include <cstdint>
#include <map>

namespace daybook::recall {

struct LearningCandidates {
  index::OtherDocuments documents;
  std::map<std::int64_t, index::LearningRow> rows;  ///< by file: those that hold a word
};

Result<LearningCandidates> learning_candidates(index::Reader& reader,
                                               const index::Question& question,
                                               const RecallRequest& request);

/// Whether memories of that type are asked for.
bool wants(const RecallRequest& request, lineage::MemoryType type);

}  // namespace daybook::recall
