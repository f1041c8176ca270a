// SPDX-License-Identifier: MIT
//
// A query and a filter -> the best documents, by number. Months are read newest first; what is
// ranked are the newest matches only, since a common word has more than anybody looks at and each
// costs time. Every call has its own read-only connections, and up to three threads of its own for
// older months: any thread, beside any writer. A month that cannot be read is told and does not
// keep the others from being found.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/search_query.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::index {

/// So many matches are ranked: the newest.
inline constexpr std::size_t kRankedMatches = 1000;

struct SearchFilter {
  std::optional<std::int64_t> agent;
  std::optional<std::vector<std::int64_t>> projects;  ///< any of these; empty: none
  /// If it is there: only these files, or documents of this project.
  struct Visible {
    std::vector<std::int64_t> files;
    std::optional<std::int64_t> project;
  };
  std::optional<Visible> visible;
  std::vector<lineage::Kind> kinds;         ///< empty: every kind
  std::optional<lineage::Timestamp> since;  ///< included
  std::optional<lineage::Timestamp> until;  ///< included
};

struct SearchHit {
  std::int64_t file = 0;
  double score = 0;  ///< BM25, the sentence counting four times; higher is better
  lineage::Timestamp time;
};

struct SearchAnswer {
  /// By score, then newest first; more than were asked for where others equal the last. How equal
  /// ones follow each other is another matter in each index.
  std::vector<SearchHit> hits;
  bool older_left_out = false;        ///< there may be older matches, which were not ranked
  std::vector<std::int64_t> damaged;  ///< months to build anew; nothing of them was found
};

/// Searches the months of this index. Without a folder, or with an empty query, there are no hits.
Result<SearchAnswer> search_text(const std::string& folder,
                                 const std::string& index_id,
                                 const SearchQuery& query,
                                 const SearchFilter& filter,
                                 std::size_t limit);

}  // namespace daybook::index
