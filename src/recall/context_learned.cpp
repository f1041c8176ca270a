// SPDX-License-Identifier: MIT
#include "recall/context_learned.hpp"

#include "daybook/recall/context.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::recall {
namespace {

using Learnings = std::vector<index::LearningRow>;

Result<Learnings> learnings_seen(index::Reader& reader, const LearnedRequest& request) {
  index::LearningFilter filter;
  filter.agent = request.agent;
  filter.type = lineage::MemoryType::semantic;
  Learnings seen;
  TRY(reader.learnings(filter, [&](const index::LearningRow& row) {
    if (may_be_told(row.learning, request.scopes, request.now)) {
      seen.push_back(row);
    }
    return store::Visit::next;
  }));
  return seen;
}

class Choosing {
 public:
  Choosing(index::Reader& reader, service::NoteReader& notes, service::KnownRemovals& removals)
      : reader_(reader), notes_(notes), removals_(removals) {}

  /// Those whose notes say something else by now are known afterwards.
  Result<ChosenLearnings> choose(const Learnings& learnings, const std::string& query) {
    ChosenLearnings chosen;
    for (RankedLearning& ranked : rank_learnings(learnings, query)) {
      // Nobody is told of those behind: that they were there when they were indexed is enough.
      const bool is_named = chosen.over.size() < kMostListed;
      TRY_ASSIGN(const bool counts, is_named ? still_counts(ranked.row) : Result<bool>(true));
      if (!counts) {
        gone_.insert(ranked.row.file);
      } else if (chosen.learnings.size() < kMostLearnings) {
        chosen.learnings.push_back(std::move(ranked));
      } else {
        chosen.over.push_back(ranked.row.learning.id);
      }
    }
    chosen.stale = !gone_.empty();
    return chosen;
  }

  void drop_gone(Learnings& learnings) const {
    std::erase_if(learnings,
                  [this](const index::LearningRow& row) { return gone_.contains(row.file); });
  }

 private:
  Result<bool> still_counts(const index::LearningRow& row) {
    TRY_ASSIGN(const auto file, reader_.file(row.file));
    return file && notes_.is_as_indexed(*file) &&
           !removals_.removes_learning(row.learning.id, row.learning.agent_id);
  }

  index::Reader& reader_;
  service::NoteReader& notes_;
  service::KnownRemovals& removals_;
  std::set<std::int64_t> gone_;
};

}  // namespace

Result<ChosenLearnings> choose_learnings(index::Reader& reader,
                                         service::NoteReader& notes,
                                         service::KnownRemovals& removals,
                                         const LearnedRequest& request) {
  TRY_ASSIGN(auto learnings, learnings_seen(reader, request));
  Choosing choosing(reader, notes, removals);
  TRY_ASSIGN(auto chosen, choosing.choose(learnings, request.query));
  // One that is gone may have been the only answer; then it is as if there were none.
  if (chosen.learnings.empty() && chosen.stale) {
    choosing.drop_gone(learnings);
    TRY_ASSIGN(chosen, choosing.choose(learnings, request.query));
  }
  return chosen;
}

}  // namespace daybook::recall
