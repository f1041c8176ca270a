// SPDX-License-Identifier: MIT
#include "recall/candidates.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/relevance.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/service/embedding_tools.hpp"
#include "daybook/store/fts5.hpp"
#include "recall/vector_question.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace daybook::recall {
namespace {

/// So many documents are turned into memories: several may be of one session, and some may be none
/// by now.
constexpr std::size_t kLeastDocuments = 60;
constexpr std::size_t kDocumentsOfResult = 6;

/// Of the nearest files, and of the documents, so many are looked at: some may be noise.
constexpr std::size_t kMostNear = 1000;

/// What no word has found must be at least so alike: docs/RECALL.md says how that was chosen.
constexpr double kLeastAlike = 0.3;

/// The documents of no month pass it.
index::SearchFilter no_session() {
  index::SearchFilter filter;
  filter.since = lineage::kLastTimestamp;
  return filter;
}

/// A question often names the project that it is about.
Result<index::NamedProjects> named_projects(index::Reader& reader,
                                            const index::Question& question) {
  TRY_ASSIGN(store::WordSplitter splitter, store::WordSplitter::make());
  index::NamedProjects named;
  TRY(reader.each_project([&](std::int64_t project, std::string_view text) {
    text.remove_prefix(text.rfind('/') + 1);
    splitter.each(text, [&](std::string_view word, std::size_t, std::size_t) {
      for (std::size_t term = 0; term < question.terms().size(); ++term) {
        if (question.terms()[term].word == word) {
          named[project] |= 1U << term;
        }
      }
    });
  }));
  return named;
}

Result<index::SearchFilter::Visible> visible_to(const Behalf& behalf, index::Reader& reader) {
  index::SearchFilter::Visible visible;
  TRY_ASSIGN(const auto files, reader.files_of_session(behalf.session));
  for (const index::FileRow& file : files) {
    visible.files.push_back(file.id);
  }
  if (!behalf.project.empty()) {
    TRY_ASSIGN(visible.project, reader.word(behalf.project));
  }
  return visible;
}

/// What a list names, with its row, in the list's order; of equal rank by session and path, since
/// the numbers of files depend on when they were indexed. Rows are read as they are needed.
template <typename Found>
class RankedRows {
 public:
  struct Named {
    const Found* found = nullptr;
    index::FileRow row;
  };

  RankedRows(index::Reader& reader, const std::vector<Found>& list)
      : reader_(reader), list_(list) {}

  Result<std::optional<Named>> next() {
    while (equals_.empty() && at_ < list_.size()) {
      TRY(read_equals());
    }
    if (equals_.empty()) {
      return std::optional<Named>();
    }
    Named first = std::move(equals_.front());
    equals_.pop_front();
    return std::optional(std::move(first));
  }

 private:
  static bool are_equal(const Found& a, const Found& b) {
    return a.score == b.score && a.time == b.time;
  }

  Result<void> read_equals() {
    const Found& first = list_[at_];
    for (; at_ < list_.size() && are_equal(list_[at_], first); ++at_) {
      TRY_ASSIGN(auto row, reader_.file(list_[at_].file));
      if (row) {
        equals_.push_back({&list_[at_], std::move(*row)});
      }
    }
    if (equals_.size() > 1) {
      std::sort(equals_.begin(), equals_.end(), [](const Named& a, const Named& b) {
        return a.row.session != b.row.session ? a.row.session < b.row.session
                                              : a.row.path() < b.row.path();
      });
    }
    return {};
  }

  index::Reader& reader_;
  const std::vector<Found>& list_;
  std::size_t at_ = 0;
  std::deque<Named> equals_;
};

}  // namespace

Result<Candidates> CandidateSearch::run(OpenIndex& index, const AskedQuestion& question) {
  TRY_ASSIGN(filter_, filter_of(index.reader));
  TRY_ASSIGN(learned_, learning_candidates(index.reader, question.words, request_));
  if (!filter_ && learned_.rows.empty()) {
    return std::move(candidates_);
  }
  TRY(find_by_words(index.reader, question.words));
  if (!question.vector.empty() && index.database) {
    TRY(find_by_vectors(index, question));
  }
  return std::move(candidates_);
}

/// Nothing: no session's note can be in the scope.
Result<std::optional<index::SearchFilter>> CandidateSearch::filter_of(index::Reader& reader) const {
  TRY_ASSIGN(auto filter, service::search_filter(reader, request_));
  if (filter && request_.behalf) {
    TRY_ASSIGN(filter->visible, visible_to(*request_.behalf, reader));
  }
  return filter;
}

/// Nobody is noise to itself.
bool CandidateSearch::is_of_asker(const index::FileRow& row) const {
  return request_.behalf && row.session == request_.behalf->session;
}

bool CandidateSearch::may_answer(const index::FileRow& row, lineage::Timestamp time) const {
  return wants(request_, lineage::MemoryType::episodic) &&
         service::is_in_scope(row, time, request_) &&
         (!request_.behalf || request_.behalf->sees(row)) &&
         (request_.noise == Noise::included || is_of_asker(row) ||
          !noise_.is_noise(row.fields.project));
}

std::size_t CandidateSearch::documents_wanted() const {
  // Where no session is wanted there is only what was learned, and all of it is looked at.
  return wants(request_, lineage::MemoryType::episodic)
             ? std::max(kLeastDocuments, request_.top_k * kDocumentsOfResult)
             : std::numeric_limits<std::size_t>::max();
}

/// Those that are not wanted must not take the place of the others.
index::VectorsOf CandidateSearch::vectors_wanted() const {
  if (!filter_ || !wants(request_, lineage::MemoryType::episodic)) {
    return index::VectorsOf::learnings;
  }
  return learned_.rows.empty() ? index::VectorsOf::sessions : index::VectorsOf::both;
}

/// Of a file that a list names: its session's, or its own if it was learned. Null: it is none.
Candidate* CandidateSearch::candidate_of(index::FileRow row, lineage::Timestamp time) {
  const auto learned = learned_.rows.find(row.id);
  if (learned != learned_.rows.end()) {
    if (row.source_sha256 != learned->second.source_sha256) {
      return nullptr;  // that was of an earlier snapshot, and says something else by now
    }
    const lineage::Learning& learning = learned->second.learning;
    Candidate& candidate = candidates_[lineage::learning_token(learning.agent_id, learning.id)];
    if (!candidate.learning) {
      candidate.learning = learned->second;
      candidate.note = std::move(row);
      candidate.note.fields.captured_at = learning.created_at;
    }
    return &candidate;
  }
  if (!row.session || !may_answer(row, time)) {
    return nullptr;
  }
  Candidate& candidate = candidates_[*row.session];
  // The note by which a session answers is the first that a list names, by words before vectors.
  if (candidate.why.text_place == 0 && candidate.why.vector_place == 0) {
    candidate.note = std::move(row);
  }
  return &candidate;
}

/// The documents that hold the question's words, each session by the best of its own.
Result<void> CandidateSearch::find_by_words(index::Reader& reader,
                                            const index::Question& question) {
  learned_.documents.alone = !wants(request_, lineage::MemoryType::episodic);
  TRY_ASSIGN(const auto projects, named_projects(reader, question));
  TRY_ASSIGN(auto relevant,
             index::find_relevant(folder_.file(index::kTextFolder),
                                  reader.meta().index_id,
                                  question,
                                  projects,
                                  filter_.value_or(no_session()),
                                  std::max(documents_wanted(), kMostNear),
                                  learned_.documents));
  report_.unreadable = std::move(relevant.damaged);
  // What was asked until now fixed a snapshot; the rows must not be older than the text.
  TRY(reader.renew());
  TRY_ASSIGN(const std::uint64_t behind_now,
             reader.count_months_behind(folder_.file(index::kTextFolder)));
  report_.months_behind = std::max(report_.months_behind, behind_now);
  std::size_t place = 0;
  std::size_t answering = 0;
  RankedRows<index::RelevantDocument> ranked(reader, relevant.found);
  while (answering < documents_wanted()) {
    TRY_ASSIGN(auto next, ranked.next());
    if (!next) {
      break;
    }
    const index::RelevantDocument& document = *next->found;
    Candidate* const candidate = candidate_of(std::move(next->row), document.time);
    answering += candidate != nullptr ? 1 : 0;
    if (candidate == nullptr || candidate->why.text_place != 0) {
      continue;
    }
    candidate->why.text_place = ++place;
    candidate->why.text_score = document.score;
    for (std::size_t term = 0; term < question.terms().size(); ++term) {
      if ((document.terms >> term & 1U) != 0) {
        candidate->why.terms.push_back(question.terms()[term].word);
      }
    }
  }
  return {};
}

bool CandidateSearch::is_found_by_words(const index::FileRow& row) const {
  const auto learned = learned_.rows.find(row.id);
  if (learned == learned_.rows.end()) {
    return row.session && candidates_.contains(*row.session);
  }
  const lineage::Learning& learning = learned->second.learning;
  return candidates_.contains(lineage::learning_token(learning.agent_id, learning.id));
}

/// In the snapshot that is asked now: vectors may have been made anew since the question got its
/// own. If not, the report says why.
Result<bool> CandidateSearch::has_vectors_of(OpenIndex& index,
                                             const index::VectorIdentity& wanted) {
  TRY_ASSIGN(const auto recorded, index::Vectors(*index.database).identity());
  if (recorded && *recorded == wanted) {
    return true;
  }
  const VectorQuestion without = recorded ? other_model(*recorded, wanted) : nothing_embedded();
  report_.mode_reason = without.reason;
  report_.mode_note = without.note;
  return false;
}

/// The notes that lie nearest to the question, each session by its nearest.
Result<void> CandidateSearch::find_by_vectors(OpenIndex& index, const AskedQuestion& question) {
  TRY_ASSIGN(const bool comparable, has_vectors_of(index, question.identity));
  if (!comparable) {
    return {};
  }
  // One that cannot be used is told by 'status'; our own code finds the same.
  const auto backend =
      service::vector_backend(*index.database, request_.config->embeddings, folder_.workspace());
  index::Vectors vectors(*index.database, backend ? *backend : index::VectorBackend::exact);
  TRY_ASSIGN(
      const auto near,
      vectors.nearest(
          question.vector, filter_.value_or(index::SearchFilter()), kMostNear, vectors_wanted()));
  std::size_t place = 0;
  RankedRows<index::NearFile> ranked(index.reader, near);
  while (place < std::min(documents_wanted(), kMostNear)) {
    TRY_ASSIGN(auto next, ranked.next());
    if (!next) {
      break;
    }
    const index::NearFile& file = *next->found;
    if (file.score < kLeastAlike && !is_found_by_words(next->row)) {
      ++place;
      continue;
    }
    Candidate* const candidate = candidate_of(std::move(next->row), file.time);
    if (candidate != nullptr && candidate->why.vector_place == 0) {
      candidate->why.vector_place = ++place;
      candidate->why.vector_score = file.score;
    }
  }
  return {};
}

}  // namespace daybook::recall
