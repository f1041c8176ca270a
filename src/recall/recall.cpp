// SPDX-License-Identifier: MIT
#include "daybook/recall/recall.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/recall/fusion.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/state/telemetry_ranks.hpp"
#include "recall/candidates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace daybook::recall {
namespace {

class Recall {
 public:
  Recall(base::Disk& disk,
         const state::StateFolder& folder,
         const std::vector<std::string>& noise,
         const RecallRequest& request)
      : disk_(disk), folder_(folder), noise_(noise), request_(up_to_now(request)) {}

  Result<RecallReport> run(const AskedQuestion& question, OpenIndex& index) {
    report_.no_terms = question.words.is_empty();
    report_.question_cut = question.words.is_cut();
    if (!report_.no_terms) {
      TRY(find(question, index));
    }
    report_.generation = index.reader.meta().generation;
    report_.last_sweep.ms = index.reader.meta().swept_at_ms;
    if (!report_.no_terms) {
      rank();
      TRY(fill_results(index.reader, question.words));
    }
    return std::move(report_);
  }

 private:
  using Placed = std::pair<lineage::SessionToken, Candidate*>;

  static RecallRequest up_to_now(RecallRequest request) {
    if (!request.until && request.noise == Noise::left_out) {
      request.until = request.now;
    }
    return request;
  }

  Result<void> find(const AskedQuestion& question, OpenIndex& index) {
    TRY(find_in(question, index));
    if (index.database && !index.database->is_current()) {
      // Built anew meanwhile: its full text is that of other rows now. Once is enough, since a
      // second time is hardly ever and the full text then says that it is behind.
      auto built = OpenIndex::open(folder_);
      if (built) {
        index = std::move(*built);
        TRY(find_in(question, index));
      }
    }
    return {};
  }

  Result<void> find_in(const AskedQuestion& question, OpenIndex& index) {
    report_.mode_reason = question.mode_reason;
    report_.mode_note = question.mode_note;
    report_.months_behind = index.months_behind;
    TRY_ASSIGN(candidates_,
               CandidateSearch(folder_, request_, noise_, report_).run(index, question));
    return {};
  }

  void rank() {
    std::vector<lineage::SessionToken> tokens;
    tokens.reserve(candidates_.size());
    for (const auto& [token, candidate] : candidates_) {
      tokens.push_back(token);
    }
    const auto uses = state::telemetry_ranks(folder_, tokens, request_.now);
    const std::size_t lists = report_.mode_reason == ModeReason::none ? 2 : 1;
    for (auto& [token, candidate] : candidates_) {
      const std::array<std::size_t, 2> both{candidate.why.text_place, candidate.why.vector_place};
      const auto places = std::span<const std::size_t>(both).first(lists);
      const auto use = uses.find(token);
      candidate.score = fused_score(
          places, {candidate.note.membership(), use == uses.end() ? 0 : use->second}, request_.now);
    }
  }

  /// By score, then the newest first, then by token.
  std::vector<Placed> in_order() {
    std::vector<Placed> order;
    order.reserve(candidates_.size());
    for (auto& [token, candidate] : candidates_) {
      order.emplace_back(token, &candidate);
    }
    std::sort(order.begin(), order.end(), [](const Placed& a, const Placed& b) {
      const lineage::Timestamp time_a = a.second->note.membership();
      const lineage::Timestamp time_b = b.second->note.membership();
      return std::tie(b.second->score, time_b, a.first) <
             std::tie(a.second->score, time_a, b.first);
    });
    return order;
  }

  Result<void> fill_results(index::Reader& reader, const index::Question& question) {
    TRY_ASSIGN(auto notes, service::NoteReader::open(disk_, folder_.workspace()));
    service::KnownRemovals removals(disk_, folder_, report_.last_sweep);
    for (auto& [token, candidate] : in_order()) {
      const bool is_quoted = report_.results.size() < request_.top_k;
      if (!is_quoted && report_.beyond.size() == request_.beyond) {
        break;
      }
      if (is_removed(removals, token, *candidate)) {
        continue;
      }
      TRY_ASSIGN(auto session, session_of(reader, notes, removals, token, *candidate));
      if (!session) {
        continue;
      }
      if (is_quoted) {
        TRY(quote(notes, question, std::move(*session), *candidate));
      } else if (!candidate->learning && notes.is_as_indexed(candidate->note)) {
        report_.beyond.push_back(token);
      }
    }
    return {};
  }

  Result<void> quote(service::NoteReader& notes,
                     const index::Question& question,
                     index::SessionRow session,
                     Candidate& candidate) {
    const redact::Policy* const redaction = redaction_of(candidate);
    TRY_ASSIGN(
        auto snippet,
        notes.snippet(candidate.note, question.search_terms(), request_.snippet_width, redaction));
    if (!snippet) {
      report_.changed.push_back(candidate.note.path());
      return {};
    }
    if (redaction != nullptr) {
      std::string& told =
          candidate.learning ? candidate.learning->learning.content : session.sentence;
      told = redacted(told, *redaction);
    }
    report_.results.push_back({std::move(session),
                               std::move(candidate.learning),
                               std::move(candidate.note),
                               candidate.score,
                               std::move(candidate.why),
                               std::move(*snippet)});
    return {};
  }

  /// Personal data in what was learned is there on purpose: the guard lets it in, lists and
  /// MEMORY.md tell it, and whom to ask is no answer without the name.
  const redact::Policy* redaction_of(const Candidate& candidate) {
    if (!candidate.learning || request_.redaction == nullptr) {
      return request_.redaction;
    }
    if (!of_learnings_) {
      of_learnings_ = *request_.redaction;
      of_learnings_->pii = redact::Pii::kept;
    }
    return &*of_learnings_;
  }

  static std::string redacted(const std::string& original, const redact::Policy& policy) {
    std::string text = redact::sanitize(original, policy);
    // The sanitizer ends what it gives with a line end.
    if (text.ends_with('\n')) {
      text.pop_back();
    }
    return text;
  }

  static bool is_removed(service::KnownRemovals& removals,
                         const lineage::SessionToken& token,
                         const Candidate& candidate) {
    if (!candidate.learning) {
      return removals.removes(token) || removals.removes_file(candidate.note.path());
    }
    const lineage::Learning& learning = candidate.learning->learning;
    return removals.removes_learning(learning.id, learning.agent_id);
  }

  bool is_wanted(const index::SessionRow& session) const {
    const bool is_own = request_.behalf && request_.behalf->session == session.token;
    return (is_own || request_.noise == Noise::included || !noise_.is_noise(session.project)) &&
           (request_.changed_sessions == ChangedSessions::told || !session.changed_since_sealed);
  }

  /// An empty one for something learned. Nothing: the session is not to be shown.
  Result<std::optional<index::SessionRow>> session_of(index::Reader& reader,
                                                      service::NoteReader& notes,
                                                      service::KnownRemovals& removals,
                                                      lineage::SessionToken token,
                                                      const Candidate& candidate) {
    if (candidate.learning) {
      return std::optional(index::SessionRow{});
    }
    TRY_ASSIGN(auto session, reader.session(token));
    if (!session || !is_wanted(*session)) {
      return std::optional<index::SessionRow>();
    }
    TRY_ASSIGN(const auto stale, stale_source(reader, notes, removals, *session, candidate.note));
    if (!stale.empty()) {
      report_.changed.push_back(stale);
      return std::optional<index::SessionRow>();
    }
    return session;
  }

  /// The file that the session's sentence is of, if it does not say that any more or was removed.
  static Result<std::string> stale_source(index::Reader& reader,
                                          service::NoteReader& notes,
                                          service::KnownRemovals& removals,
                                          const index::SessionRow& session,
                                          const index::FileRow& note) {
    if (!session.source || *session.source == note.id) {
      return std::string();  // the snippet will tell
    }
    TRY_ASSIGN(const auto source, reader.file(*session.source));
    const bool stale = source && source->status == index::FileStatus::valid &&
                       (removals.removes_file(source->path()) || !notes.is_as_indexed(*source));
    return stale ? source->path() : std::string();
  }

  base::Disk& disk_;
  const state::StateFolder& folder_;
  lineage::NoiseRules noise_;
  const RecallRequest request_;
  Candidates candidates_;
  std::optional<redact::Policy> of_learnings_;  // made when it is first needed
  RecallReport report_;
};

}  // namespace

Result<OpenIndex> OpenIndex::open(const state::StateFolder& folder, const FirstLook& first) {
  const std::string path = folder.file(index::kIndexFile);
  TRY_ASSIGN(auto opened, index::open_index(path, store::Access::read_only));
  std::uint64_t months_behind = 0;
  std::optional<store::Database> database;
  // Before the text, too: what is made of it while it is searched was not searched.
  if (opened.database) {
    database = opened.database->share();
    index::Reader now(*opened.database);
    TRY_ASSIGN(months_behind, now.count_months_behind(folder.file(index::kTextFolder)));
    TRY(first ? first(now) : Result<void>());
  }
  TRY_ASSIGN(index::Reader reader, index::Reader::over(std::move(opened), path));
  return OpenIndex{std::move(reader), std::move(database), months_behind};
}

bool tells_more(const Recalled& result) {
  return result.session.sentence.find(result.snippet.text) == std::string::npos;
}

Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request,
                            const AskedQuestion& question,
                            OpenIndex& index) {
  return Recall(disk, folder, noise, request).run(question, index);
}

Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request) {
  TRY_ASSIGN(const AskedQuestion question, prepare_question(disk, folder, request));
  TRY_ASSIGN(OpenIndex index, OpenIndex::open(folder));
  return recall(disk, folder, noise, request, question, index);
}

}  // namespace daybook::recall
