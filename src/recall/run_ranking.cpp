// SPDX-License-Identifier: MIT
#include "daybook/recall/run_ranking.hpp"

#include "recall/plain_words.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace daybook::recall {
namespace {

constexpr std::int64_t kWholeQuery = 100;
constexpr std::int64_t kOneTerm = 15;
constexpr std::int64_t kAllTerms = 40;
constexpr std::size_t kShortestTerm = 3;

using Words = std::set<std::string, std::less<>>;

bool is_term(std::string_view word) { return word.size() >= kShortestTerm; }

Words words_of(std::string_view plain) {
  const auto split = split_words(plain);
  return {split.begin(), split.end()};
}

struct Query {
  std::string text;
  Words words;
};

std::int64_t score_of_field(std::string_view field, std::int64_t weight, const Query& query) {
  const std::string text = plain_words(field);
  const auto words = words_of(text);
  std::int64_t score = holds_words(text, query.text) ? kWholeQuery : 0;
  const bool any_term = std::any_of(query.words.begin(), query.words.end(), is_term);
  bool all = true;
  for (const std::string& word : query.words) {
    const bool found = words.contains(word);
    score += found && is_term(word) ? kOneTerm : 0;
    all = all && (found || (any_term && !is_term(word)));
  }
  return weight * (score + (all ? kAllTerms : 0));
}

std::int64_t score_of(const lineage::RunRecord& run, const Query& query) {
  std::string markers;
  for (const std::string& marker : run.failure_markers) {
    markers.append(marker).append(" ");
  }
  return score_of_field(run.summary, 4, query) + score_of_field(run.request_preview, 3, query) +
         score_of_field(run.outcome_preview, 3, query) + score_of_field(markers, 1, query);
}

}  // namespace

void rank_runs(std::vector<RecoveredRun>& runs, std::string_view query) {
  Query asked{plain_words(query), {}};
  asked.words = words_of(asked.text);
  for (RecoveredRun& run : runs) {
    run.score = asked.words.empty() ? 0 : score_of(run.run, asked);
  }
  std::sort(runs.begin(), runs.end(), [](const RecoveredRun& a, const RecoveredRun& b) {
    return std::tie(b.score, b.recorded_at, b.id) < std::tie(a.score, a.recorded_at, a.id);
  });
}

}  // namespace daybook::recall
