// SPDX-License-Identifier: MIT
#include "daybook/base/nearest.hpp"

#include <algorithm>

namespace daybook::base {

std::size_t edit_distance(std::string_view left, std::string_view right) {
  // Three rows of the table: a swap looks two rows back.
  const std::size_t width = right.size() + 1;
  std::vector<std::size_t> before(width);
  std::vector<std::size_t> last(width);
  std::vector<std::size_t> row(width);
  for (std::size_t j = 0; j < width; ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row.back();
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;  // nobody misspells more, and hostile words cost nothing
  std::string best;
  std::size_t least = 3;
  if (word.size() > kLongest) {
    return best;
  }
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace daybook::base
