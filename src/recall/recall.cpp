// SPDX-License-Identifier: MIT
#include "daybook/recall/recall.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/relevance.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/recall/fusion.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/state/telemetry_ranks.hpp"
#include "daybook/store/fts5.hpp"
#include "recall/learning_candidates.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace daybook::recall {
namespace {

/// So many documents are turned into sessions: several may be of one, and some may be none by now.
constexpr std::size_t kLeastDocuments = 60;
constexpr std::size_t kDocumentsOfResult = 6;

/// The documents of no month pass it.
index::SearchFilter no_session() {
  index::SearchFilter filter;
  filter.since = lineage::kLastTimestamp;
  return filter;
}

/// A session on its way through the lists.
struct Candidate {
  index::FileRow note;
  std::optional<index::LearningRow> learning;
  Why why;
  double score = 0;
};

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

class Recall {
 public:
  Recall(base::Disk& disk,
         const state::StateFolder& folder,
         const std::vector<std::string>& noise,
         const RecallRequest& request)
      : disk_(disk), folder_(folder), noise_(noise), request_(request) {}

  Result<RecallReport> run(OpenIndex& index) {
    index::Reader& reader = index.reader;
    report_.months_behind = index.months_behind;
    report_.generation = reader.meta().generation;
    report_.last_sweep.ms = reader.meta().swept_at_ms;
    TRY_ASSIGN(const index::Question question, index::Question::parse(request_.query));
    report_.no_terms = question.is_empty();
    if (report_.no_terms) {
      return std::move(report_);
    }
    TRY(find_by_words(reader, question));
    rank();
    TRY(fill_results(reader, question));
    return std::move(report_);
  }

 private:
  /// The documents that hold the question's words, each session by the best of its own.
  Result<void> find_by_words(index::Reader& reader, const index::Question& question) {
    TRY_ASSIGN(auto filter, service::search_filter(reader, request_));
    TRY_ASSIGN(LearningCandidates learned, learning_candidates(reader, question, request_));
    if (!filter && learned.rows.empty()) {
      return {};
    }
    if (request_.behalf && filter) {
      TRY_ASSIGN(filter->visible, visible_to(*request_.behalf, reader));
    }
    TRY_ASSIGN(const auto projects, named_projects(reader, question));
    const bool sessions_wanted = wants(request_, lineage::MemoryType::episodic);
    // Where no session is wanted, those that answer better must not take the place of the others.
    const std::size_t limit = sessions_wanted
                                  ? std::max(kLeastDocuments, request_.top_k * kDocumentsOfResult)
                                  : std::numeric_limits<std::size_t>::max();
    TRY_ASSIGN(auto relevant,
               index::find_relevant(folder_.file(index::kTextFolder),
                                    reader.meta().index_id,
                                    question,
                                    projects,
                                    filter.value_or(no_session()),
                                    limit,
                                    learned.documents));
    report_.unreadable = std::move(relevant.damaged);
    // Not before: the first question fixes the rows, which must not be older than the text.
    TRY_ASSIGN(const std::uint64_t behind_now, reader.count_months_behind());
    report_.months_behind = std::max(report_.months_behind, behind_now);
    const lineage::NoiseRules noise(noise_);
    for (const index::RelevantDocument& document : relevant.found) {
      const auto learning = learned.rows.find(document.file);
      if (!sessions_wanted && learning == learned.rows.end()) {
        continue;
      }
      TRY_ASSIGN(auto row, reader.file(document.file));
      if (row && learning != learned.rows.end()) {
        take_learning(std::move(*row), std::move(learning->second), document, question);
        continue;
      }
      if (!row || !service::is_in_scope(*row, document.time, request_) ||
          (request_.behalf && !request_.behalf->sees(*row)) ||
          (request_.noise == Noise::left_out && noise.is_noise(row->fields.project))) {
        continue;
      }
      take(std::move(*row), document, question);
    }
    return {};
  }

  static Result<index::SearchFilter::Visible> visible_to(const Behalf& behalf,
                                                         index::Reader& reader) {
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

  /// Under a token of its own it takes the same way as a session.
  void take_learning(index::FileRow row,
                     index::LearningRow learning,
                     const index::RelevantDocument& document,
                     const index::Question& question) {
    row.session = lineage::learning_token(learning.learning.agent_id, learning.learning.id);
    row.fields.captured_at = learning.learning.created_at;
    const lineage::SessionToken token = *row.session;
    take(std::move(row), document, question);
    candidates_[token].learning = std::move(learning);
  }

  void take(index::FileRow row,
            const index::RelevantDocument& document,
            const index::Question& question) {
    const lineage::SessionToken token = *row.session;
    Candidate& candidate = candidates_[token];
    if (candidate.why.text_place == 0) {
      candidate.why.text_place = ++text_places_;
      candidate.why.text_score = document.score;
      candidate.note = std::move(row);
      for (std::size_t term = 0; term < question.terms().size(); ++term) {
        if ((document.terms >> term & 1U) != 0) {
          candidate.why.terms.push_back(question.terms()[term].word);
        }
      }
    }
  }

  void rank() {
    std::vector<lineage::SessionToken> tokens;
    tokens.reserve(candidates_.size());
    for (const auto& [token, candidate] : candidates_) {
      tokens.push_back(token);
    }
    const auto uses = state::telemetry_ranks(folder_, tokens, request_.now);
    for (auto& [token, candidate] : candidates_) {
      const std::array<std::size_t, 1> places{candidate.why.text_place};
      const auto use = uses.find(token);
      candidate.score = fused_score(
          places, {candidate.note.membership(), use == uses.end() ? 0 : use->second}, request_.now);
    }
  }

  Result<void> fill_results(index::Reader& reader, const index::Question& question) {
    std::vector<std::pair<lineage::SessionToken, Candidate*>> order;
    order.reserve(candidates_.size());
    for (auto& [token, candidate] : candidates_) {
      order.emplace_back(token, &candidate);
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      const lineage::Timestamp time_a = a.second->note.membership();
      const lineage::Timestamp time_b = b.second->note.membership();
      return std::tie(b.second->score, time_b, a.first) <
             std::tie(a.second->score, time_a, b.first);
    });
    TRY_ASSIGN(auto notes, service::NoteReader::open(disk_, folder_.workspace()));
    service::KnownRemovals removals(folder_);
    const lineage::NoiseRules noise(noise_);
    for (auto& [token, candidate] : order) {
      if (report_.results.size() == request_.top_k) {
        break;
      }
      TRY_ASSIGN(auto session,
                 candidate->learning ? std::optional(index::SessionRow{}) : reader.session(token));
      if (!session || is_out(*candidate, *session, noise, removals)) {
        continue;
      }
      TRY_ASSIGN(const auto stale, stale_source(reader, notes, *session, candidate->note));
      if (!stale.empty()) {
        report_.changed.push_back(stale);
        continue;
      }
      TRY_ASSIGN(auto snippet,
                 notes.snippet(candidate->note, question.search_terms(), request_.snippet_width));
      if (!snippet) {
        report_.changed.push_back(candidate->note.path());
        continue;
      }
      report_.results.push_back({std::move(*session),
                                 std::move(candidate->learning),
                                 std::move(candidate->note),
                                 candidate->score,
                                 std::move(candidate->why),
                                 std::move(*snippet)});
    }
    return {};
  }

  /// Whether it was removed and its rows are still there, or the session is noise.
  bool is_out(const Candidate& candidate,
              const index::SessionRow& session,
              const lineage::NoiseRules& noise,
              service::KnownRemovals& removals) const {
    if (candidate.learning) {
      const lineage::Learning& learning = candidate.learning->learning;
      return removals.removes_learning(learning.id, learning.agent_id);
    }
    return removals.removes(session.token) ||
           (request_.noise == Noise::left_out && noise.is_noise(session.project));
  }

  /// The file that the session's sentence is of, if it does not say that any more.
  static Result<std::string> stale_source(index::Reader& reader,
                                          service::NoteReader& notes,
                                          const index::SessionRow& session,
                                          const index::FileRow& note) {
    if (!session.source || *session.source == note.id) {
      return std::string();  // the snippet will tell
    }
    TRY_ASSIGN(const auto source, reader.file(*session.source));
    const bool stale =
        source && source->status == index::FileStatus::valid && !notes.is_as_indexed(*source);
    return stale ? source->path() : std::string();
  }

  base::Disk& disk_;
  const state::StateFolder& folder_;
  const std::vector<std::string>& noise_;
  const RecallRequest& request_;
  std::map<lineage::SessionToken, Candidate> candidates_;
  std::size_t text_places_ = 0;
  RecallReport report_;
};

}  // namespace

Result<OpenIndex> OpenIndex::open(const state::StateFolder& folder, const Question& first) {
  const std::string path = folder.file(index::kIndexFile);
  TRY_ASSIGN(auto opened, index::open_index(path, store::Access::read_only));
  std::uint64_t months_behind = 0;
  // Before the text, too: what is made of it while it is searched was not searched.
  if (opened.database) {
    index::Reader now(*opened.database);
    TRY_ASSIGN(months_behind, now.count_months_behind());
    TRY(first ? first(now) : Result<void>());
  }
  TRY_ASSIGN(index::Reader reader, index::Reader::over(std::move(opened), path));
  return OpenIndex{std::move(reader), months_behind};
}

Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request,
                            OpenIndex& index) {
  return Recall(disk, folder, noise, request).run(index);
}

Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request) {
  TRY_ASSIGN(OpenIndex index, OpenIndex::open(folder));
  return recall(disk, folder, noise, request, index);
}

}  // namespace daybook::recall
