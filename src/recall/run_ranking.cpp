// SPDX-License-Identifier: MIT
#include "daybook/recall/run_ranking.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace daybook::recall {
namespace {

constexpr std::int64_t kWholeQuery = 100;
constexpr std::int64_t kOneTerm = 15;
constexpr std::int64_t kAllTerms = 40;
constexpr std::size_t kShortestTerm = 3;

/// Lower-case letters and digits, a blank between two words.
std::string normalised(std::string_view text) {
  std::string plain;
  for (const char letter : base::fold_case(text)) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_word =
        byte >= 0x80 || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    if (is_word) {
      plain.push_back(letter);
    } else if (!plain.empty() && plain.back() != ' ') {
      plain.push_back(' ');
    }
  }
  while (plain.ends_with(' ')) {
    plain.pop_back();
  }
  return plain;
}

std::set<std::string, std::less<>> words_of(std::string_view normalised_text) {
  std::set<std::string, std::less<>> words;
  while (!normalised_text.empty()) {
    const std::size_t end = std::min(normalised_text.find(' '), normalised_text.size());
    words.emplace(normalised_text.substr(0, end));
    normalised_text.remove_prefix(std::min(end + 1, normalised_text.size()));
  }
  return words;
}

struct Query {
  std::string text;
  std::set<std::string, std::less<>> words;
};

std::int64_t score_of_field(std::string_view field, std::int64_t weight, const Query& query) {
  const std::string text = normalised(field);
  const auto words = words_of(text);
  std::int64_t score = text.find(query.text) == std::string::npos ? 0 : kWholeQuery;
  bool all = true;
  for (const std::string& word : query.words) {
    const bool found = words.contains(word);
    score += found && word.size() >= kShortestTerm ? kOneTerm : 0;
    all = all && found;
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
  Query asked{normalised(query), {}};
  asked.words = words_of(asked.text);
  for (RecoveredRun& run : runs) {
    run.score = asked.words.empty() ? 0 : score_of(run.run, asked);
  }
  std::sort(runs.begin(), runs.end(), [](const RecoveredRun& a, const RecoveredRun& b) {
    return std::tie(b.score, b.recorded_at, b.id) < std::tie(a.score, a.recorded_at, a.id);
  });
}

}  // namespace daybook::recall
