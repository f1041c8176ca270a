// SPDX-License-Identifier: MIT
#include "recall/candidates.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/relevance.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/service/embedding_tools.hpp"
#include "daybook/store/fts5.hpp"

#include <algorithm>
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

}  // namespace

Result<Candidates> CandidateSearch::run(OpenIndex& index,
                                        const index::Question& question,
                                        const std::vector<float>& vector) {
  TRY_ASSIGN(filter_, filter_of(index.reader));
  TRY_ASSIGN(learned_, learning_candidates(index.reader, question, request_));
  if (!filter_ && learned_.rows.empty()) {
    return std::move(candidates_);
  }
  if (!question.is_empty()) {
    TRY(find_by_words(index.reader, question));
  }
  if (!vector.empty() && index.database) {
    TRY(find_by_vectors(index, vector));
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

bool CandidateSearch::may_answer(const index::FileRow& row, lineage::Timestamp time) const {
  return wants(request_, lineage::MemoryType::episodic) &&
         service::is_in_scope(row, time, request_) &&
         (!request_.behalf || request_.behalf->sees(row)) &&
         (request_.noise == Noise::included || !noise_.is_noise(row.fields.project));
}

std::size_t CandidateSearch::documents_wanted() const {
  // Where no session is wanted, those that answer better must not take the place of the others.
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
Result<Candidate*> CandidateSearch::candidate_of(index::Reader& reader,
                                                 std::int64_t file,
                                                 lineage::Timestamp time) {
  TRY_ASSIGN(auto row, reader.file(file));
  const auto learned = learned_.rows.find(file);
  if (row && learned != learned_.rows.end()) {
    if (row->source_sha256 != learned->second.source_sha256) {
      return nullptr;  // that was of an earlier snapshot, and says something else by now
    }
    const lineage::Learning& learning = learned->second.learning;
    Candidate& candidate = candidates_[lineage::learning_token(learning.agent_id, learning.id)];
    if (!candidate.learning) {
      candidate.learning = learned->second;
      candidate.note = std::move(*row);
      candidate.note.fields.captured_at = learning.created_at;
    }
    return &candidate;
  }
  if (!row || !row->session || !may_answer(*row, time)) {
    return nullptr;
  }
  Candidate& candidate = candidates_[*row->session];
  // The note by which a session answers is the first that a list names, by words before vectors.
  if (candidate.why.text_place == 0 && candidate.why.vector_place == 0) {
    candidate.note = std::move(*row);
  }
  return &candidate;
}

/// The documents that hold the question's words, each session by the best of its own.
Result<void> CandidateSearch::find_by_words(index::Reader& reader,
                                            const index::Question& question) {
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
  TRY_ASSIGN(const std::uint64_t behind_now, reader.count_months_behind());
  report_.months_behind = std::max(report_.months_behind, behind_now);
  std::size_t place = 0;
  std::size_t answering = 0;
  for (const index::RelevantDocument& document : relevant.found) {
    if (answering == documents_wanted()) {
      break;
    }
    TRY_ASSIGN(Candidate* const candidate, candidate_of(reader, document.file, document.time));
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

/// The notes that lie nearest to the question, each session by its nearest.
Result<void> CandidateSearch::find_by_vectors(OpenIndex& index, const std::vector<float>& vector) {
  // One that cannot be used is told by 'status'; our own code finds the same.
  const auto backend =
      service::vector_backend(*index.database, request_.config->embeddings, folder_.workspace());
  index::Vectors vectors(*index.database, backend ? *backend : index::VectorBackend::exact);
  TRY_ASSIGN(const auto near,
             vectors.nearest(
                 vector, filter_.value_or(index::SearchFilter()), kMostNear, vectors_wanted()));
  std::size_t place = 0;
  for (const index::NearFile& file : near) {
    if (place == std::min(documents_wanted(), kMostNear)) {
      break;
    }
    TRY_ASSIGN(Candidate* const candidate, candidate_of(index.reader, file.file, file.time));
    if (candidate != nullptr && candidate->why.vector_place == 0) {
      candidate->why.vector_place = ++place;
      candidate->why.vector_score = file.score;
    }
  }
  return {};
}

}  // namespace daybook::recall
