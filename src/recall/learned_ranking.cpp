// SPDX-License-Identifier: MIT
#include "daybook/recall/learned_ranking.hpp"

#include "daybook/index/question.hpp"
#include "recall/plain_words.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace daybook::recall {
namespace {

constexpr std::int64_t kWeight = 4;
constexpr std::int64_t kWholeQuery = 100;
constexpr std::int64_t kOneTerm = 10;

constexpr auto kMemoryWords = std::to_array<std::string_view>({"appris",
                                                               "learning",
                                                               "learnings",
                                                               "memoire",
                                                               "memories",
                                                               "memory",
                                                               "recall",
                                                               "remember",
                                                               "remembered"});
static_assert(std::is_sorted(kMemoryWords.begin(), kMemoryWords.end()));

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& words, std::string_view word) {
  return std::binary_search(words.begin(), words.end(), word);
}

/// As often as they come.
std::vector<std::string_view> telling_words(std::string_view words) {
  auto telling = split_words(words);
  std::erase_if(telling, [](std::string_view word) { return index::is_empty_word(word); });
  return telling;
}

std::int64_t score_of(const std::string& content,
                      const std::string& query,
                      const std::vector<std::string_view>& terms) {
  const std::string plain = plain_words(content);
  const auto words = split_words(plain);
  const std::set<std::string_view> held(words.begin(), words.end());
  std::int64_t score = holds_words(plain, query) ? kWholeQuery : 0;
  for (const std::string_view term : terms) {
    score += held.contains(term) ? kOneTerm : 0;
  }
  return kWeight * score;
}

}  // namespace

bool may_be_told(const lineage::Learning& learning,
                 const SeenScopes& scopes,
                 lineage::Timestamp now) {
  return lineage::memory_type_of(learning.kind) == lineage::MemoryType::semantic &&
         learning.is_shown(now) && learning.created_at <= now && scopes.sees(learning.scope);
}

std::vector<RankedLearning> rank_learnings(std::vector<index::LearningRow> learnings,
                                           std::string_view query) {
  const std::string asked = plain_words(query);
  const auto terms = telling_words(asked);
  std::vector<RankedLearning> ranked;
  ranked.reserve(learnings.size());
  bool any = false;
  for (index::LearningRow& row : learnings) {
    const std::int64_t score = terms.empty() ? 0 : score_of(row.learning.content, asked, terms);
    any = any || score > 0;
    ranked.push_back({std::move(row), score});
  }
  if (any) {
    std::erase_if(ranked, [](const RankedLearning& learning) { return learning.score == 0; });
  } else if (!asked.empty() && !asks_for_memory(query)) {
    ranked.clear();
  }
  std::sort(
      ranked.begin(), ranked.end(), [](const RankedLearning& left, const RankedLearning& right) {
        const lineage::Learning& a = left.row.learning;
        const lineage::Learning& b = right.row.learning;
        return std::tie(right.score, a.scope.kind, b.created_at, a.id) <
               std::tie(left.score, b.scope.kind, a.created_at, b.id);
      });
  return ranked;
}

bool asks_for_memory(std::string_view query) {
  const std::string asked = plain_words(query);
  const auto words = split_words(asked);
  return std::any_of(words.begin(),
                     words.end(),
                     [](std::string_view word) { return is_one_of(kMemoryWords, word); }) ||
         holds_words(asked, "learned context") || holds_words(asked, "durable learning");
}

}  // namespace daybook::recall
