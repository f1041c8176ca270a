// SPDX-License-Identifier: MIT
//
// How well documents answer: Okapi's BM25, and the best of them first. Pure; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <tuple>
#include <vector>

namespace daybook::index {

/// What the documents that are compared have in common.
struct Corpus {
  double documents = 0;
  double bytes = 0;
  const std::vector<double>& rows;  ///< how many documents hold each term
};

/// With the usual constants; the logarithm in the form that is never negative. `frequencies`: how
/// often the document, of so many bytes, holds each term.
inline double bm25(const Corpus& corpus, double bytes, std::span<const double> frequencies) {
  constexpr double kSaturation = 1.2;
  constexpr double kLength = 0.75;
  const double average = std::max(1.0, corpus.bytes / std::max(1.0, corpus.documents));
  const double length = 1 - kLength + kLength * bytes / average;
  double score = 0;
  for (std::size_t term = 0; term < corpus.rows.size(); ++term) {
    const double frequency = frequencies[term];
    const double rows = corpus.rows[term];
    // Retired documents are counted among the rows and not among the documents.
    const double documents = std::max(corpus.documents, rows);
    const double rarity = std::log(1 + (documents - rows + 0.5) / (rows + 0.5));
    score += rarity * frequency * (kSaturation + 1) / (frequency + kSaturation * length);
  }
  return score;
}

/// Of two that have a score, a time and a file's number.
template <typename Scored>
bool comes_before(const Scored& a, const Scored& b) {
  return std::tie(b.score, b.time, a.file) < std::tie(a.score, a.time, b.file);
}

/// The first `limit` of what has a score, a time and a file, equal ones by time, newest first; and
/// all that equal the last of them by score and time: which of those comes first depends on the
/// numbers of files alone, so who knows more decides.
template <typename Scored>
void keep_best_with_equals(std::vector<Scored>& scored, std::size_t limit) {
  auto last = scored.begin() + static_cast<std::ptrdiff_t>(std::min(limit, scored.size()));
  std::partial_sort(scored.begin(), last, scored.end(), comes_before<Scored>);
  if (last != scored.begin() && last != scored.end()) {
    const Scored& least = *std::prev(last);
    last = std::partition(last, scored.end(), [&least](const Scored& one) {
      return one.score == least.score && one.time == least.time;
    });
  }
  scored.erase(last, scored.end());
}

}  // namespace daybook::index
