// SPDX-License-Identifier: MIT
//
// A question -> the memories that may answer it, with their place in each list: by words, and by
// vectors where there are any. Sessions and what was learned stand in the same lists, each under
// its token. What is invalid, out of the request's scope, noise, or not to be seen by the session
// that asks is in none. Reads only; one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/question.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/state/state_folder.hpp"
#include "recall/learning_candidates.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daybook::recall {

/// A memory on its way through the lists.
struct Candidate {
  std::optional<index::LearningRow> learning;
  index::FileRow note;
  Why why;
  double score = 0;
};

using Candidates = std::map<lineage::SessionToken, Candidate>;

class CandidateSearch {
 public:
  /// All must outlive it. Of the report it fills in what could not be searched.
  CandidateSearch(const state::StateFolder& folder,
                  const RecallRequest& request,
                  const lineage::NoiseRules& noise,
                  RecallReport& report)
      : folder_(folder), request_(request), noise_(noise), report_(report) {}

  Result<Candidates> run(OpenIndex& index, const AskedQuestion& question);

 private:
  Result<std::optional<index::SearchFilter>> filter_of(index::Reader& reader) const;
  Result<void> find_by_words(index::Reader& reader, const index::Question& question);
  Result<bool> has_vectors_of(OpenIndex& index, const index::VectorIdentity& wanted);
  Result<void> find_by_vectors(OpenIndex& index, const AskedQuestion& question);
  bool is_of_asker(const index::FileRow& row) const;
  bool is_found_by_words(const index::FileRow& row) const;
  bool may_answer(const index::FileRow& row, lineage::Timestamp time) const;
  Candidate* candidate_of(index::FileRow row, lineage::Timestamp time);
  std::size_t documents_wanted() const;
  index::VectorsOf vectors_wanted() const;

  const state::StateFolder& folder_;
  const RecallRequest& request_;
  const lineage::NoiseRules& noise_;
  RecallReport& report_;
  std::optional<index::SearchFilter> filter_;
  LearningCandidates learned_;
  Candidates candidates_;
};

}  // namespace daybook::recall
