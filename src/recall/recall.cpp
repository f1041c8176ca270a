// SPDX-License-Identifier: MIT
#include "daybook/recall/recall.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/relevance.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/recall/fusion.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/state/telemetry_ranks.hpp"
#include "daybook/store/fts5.hpp"
#include "recall/vector_question.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace daybook::recall {
namespace {

/// So many documents are turned into sessions: several may be of one, and some may be none by now.
constexpr std::size_t kLeastDocuments = 60;
constexpr std::size_t kDocumentsOfResult = 6;

/// Of the nearest files so many are looked at: some may be noise.
constexpr std::size_t kMostNear = 1000;

/// A session on its way through the lists.
struct Candidate {
  index::FileRow note;
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
      : disk_(disk), folder_(folder), noise_rules_(noise), request_(request) {}

  Result<RecallReport> run(OpenIndex& index) {
    index::Reader& reader = index.reader;
    report_.months_behind = index.months_behind;
    // By a connection of its own: the first question to this one fixes its rows.
    const VectorQuestion meant = embedded_question();
    report_.generation = reader.meta().generation;
    report_.last_sweep.ms = reader.meta().swept_at_ms;
    TRY_ASSIGN(const index::Question question, index::Question::parse(request_.query));
    report_.no_terms = question.is_empty() && meant.vector.empty();
    if (report_.no_terms) {
      return std::move(report_);
    }
    if (!question.is_empty()) {
      TRY(find_by_words(reader, question));
    }
    if (!meant.vector.empty()) {
      TRY(find_by_vectors(reader, index.database, meant.vector));
    }
    rank();
    TRY(fill_results(reader, question));
    return std::move(report_);
  }

 private:
  /// Nothing: no note can be in the scope.
  Result<std::optional<index::SearchFilter>> filter_of(index::Reader& reader) {
    TRY_ASSIGN(auto filter, service::search_filter(reader, request_));
    if (filter && request_.behalf) {
      TRY_ASSIGN(filter->visible, visible_to(*request_.behalf, reader));
    }
    return filter;
  }

  bool may_answer(const index::FileRow& row, lineage::Timestamp time) const {
    return service::is_in_scope(row, time, request_) &&
           (!request_.behalf || request_.behalf->sees(row)) &&
           !is_left_out_as_noise(row.fields.project);
  }

  bool is_left_out_as_noise(const std::string& project) const {
    return request_.noise == Noise::left_out && noise_rules_.is_noise(project);
  }

  /// The documents that hold the question's words, each session by the best of its own.
  Result<void> find_by_words(index::Reader& reader, const index::Question& question) {
    TRY_ASSIGN(const auto filter, filter_of(reader));
    if (!filter) {
      return {};
    }
    TRY_ASSIGN(const auto projects, named_projects(reader, question));
    const std::size_t limit = std::max(kLeastDocuments, request_.top_k * kDocumentsOfResult);
    TRY_ASSIGN(auto relevant,
               index::find_relevant(folder_.file(index::kTextFolder),
                                    reader.meta().index_id,
                                    question,
                                    projects,
                                    *filter,
                                    limit));
    report_.unreadable = std::move(relevant.damaged);
    // Not before: the first question fixes the rows, which must not be older than the text.
    TRY_ASSIGN(const std::uint64_t behind_now, reader.count_months_behind());
    report_.months_behind = std::max(report_.months_behind, behind_now);
    for (const index::RelevantDocument& document : relevant.found) {
      TRY_ASSIGN(auto row, reader.file(document.file));
      if (!row || !may_answer(*row, document.time)) {
        continue;
      }
      take(std::move(*row), document, question);
    }
    return {};
  }

  VectorQuestion embedded_question() {
    VectorQuestion meant;
    if (request_.config == nullptr) {
      return meant;
    }
    meant = vector_of_question(disk_, folder_, *request_.config, request_.query);
    report_.words_only = meant.reason;
    report_.words_only_note = meant.note;
    return meant;
  }

  /// The notes that lie nearest to the question, each session by its nearest.
  Result<void> find_by_vectors(index::Reader& reader,
                               store::Database& database,
                               const std::vector<float>& question) {
    TRY_ASSIGN(const auto filter, filter_of(reader));
    if (!filter) {
      return {};
    }
    // One that cannot be used is told by 'status'; our own code finds the same.
    const auto backend =
        service::vector_backend(database, request_.config->embeddings, folder_.workspace());
    index::Vectors vectors(database, backend ? *backend : index::VectorBackend::exact);
    TRY_ASSIGN(const auto near, vectors.nearest(question, *filter, kMostNear));
    const std::size_t wanted = std::max(kLeastDocuments, request_.top_k * kDocumentsOfResult);
    std::size_t place = 0;
    for (const index::NearFile& file : near) {
      if (place == wanted) {
        break;
      }
      TRY_ASSIGN(auto row, reader.file(file.file));
      if (!row || !may_answer(*row, file.time)) {
        continue;
      }
      Candidate& candidate = candidates_[*row->session];
      if (candidate.why.vector_place == 0) {
        candidate.why.vector_place = ++place;
        candidate.why.vector_score = file.score;
        if (candidate.why.text_place == 0) {
          candidate.note = std::move(*row);
        }
      }
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
    const std::size_t lists = report_.words_only == WordsOnly::no ? 2 : 1;
    for (auto& [token, candidate] : candidates_) {
      const std::array<std::size_t, 2> both{candidate.why.text_place, candidate.why.vector_place};
      const auto places = std::span<const std::size_t>(both).first(lists);
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
    for (auto& [token, candidate] : order) {
      if (report_.results.size() == request_.top_k) {
        break;
      }
      TRY_ASSIGN(auto session, reader.session(token));
      if (!session || removals.removes(token) || is_left_out_as_noise(session->project)) {
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
                                 std::move(candidate->note),
                                 candidate->score,
                                 std::move(candidate->why),
                                 std::move(*snippet)});
    }
    return {};
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
  lineage::NoiseRules noise_rules_;
  const RecallRequest& request_;
  std::map<lineage::SessionToken, Candidate> candidates_;
  std::size_t text_places_ = 0;
  RecallReport report_;
};

}  // namespace

std::string_view to_string(WordsOnly reason) {
  switch (reason) {
    case WordsOnly::no:
      return "";
    case WordsOnly::not_configured:
      return "not-configured";
    case WordsOnly::asked_for:
      return "asked-for";
    case WordsOnly::no_vectors:
      return "no-vectors";
    case WordsOnly::other_model:
      return "other-model";
    case WordsOnly::endpoint:
      break;
  }
  return "endpoint";
}

Result<OpenIndex> OpenIndex::open(const state::StateFolder& folder) {
  const std::string path = folder.file(index::kIndexFile);
  TRY_ASSIGN(auto opened, index::open_index(path, store::Access::read_only));
  std::uint64_t months_behind = 0;
  // Before the text, too: what is made of it while it is searched was not searched.
  if (opened.database) {
    TRY_ASSIGN(months_behind, index::Reader(*opened.database).count_months_behind());
  }
  std::optional<store::Database> database;
  if (opened.database) {
    database = opened.database->share();
  }
  TRY_ASSIGN(index::Reader reader, index::Reader::over(std::move(opened), path));
  return OpenIndex{std::move(reader), months_behind, std::move(*database)};
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
