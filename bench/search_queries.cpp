// SPDX-License-Identifier: MIT
#include "search_queries.hpp"

#include "random.hpp"
#include "vocabulary.hpp"

#include <string_view>
#include <utility>

namespace daybook::bench {
namespace {

struct Ranks {
  std::size_t from;
  std::size_t to;
};

constexpr Ranks kCommon{0, 48};      // "the", "of": in nearly every note
constexpr Ranks kOrdinary{48, 300};  // in one of ten, about; two of them still meet in a few
constexpr std::pair<Ranks, Ranks> kKinds[]{
    {kOrdinary, kOrdinary}, {kOrdinary, kCommon}, {kCommon, kCommon}};

std::string_view draw(Ranks ranks, Random& random) {
  return Vocabulary::instance().word(ranks.from + random.next() % (ranks.to - ranks.from));
}

}  // namespace

std::vector<std::string> search_queries(std::size_t count) {
  Random random(1);
  std::vector<std::string> queries;
  while (queries.size() < count) {
    const auto& [first, second] = kKinds[queries.size() % std::size(kKinds)];
    const std::string_view one = draw(first, random);
    const std::string_view other = draw(second, random);
    if (one != other) {
      queries.push_back(std::string(one).append(" ").append(other));
    }
  }
  return queries;
}

}  // namespace daybook::bench
