// SPDX-License-Identifier: MIT
//
// What was learned, as the index keeps it: the note's place and hash, so that whoever shows its
// text can see whether the file still says so, and the text itself. Reader has the questions.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/store/database.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>

namespace daybook::index {

struct LearningRow {
  std::int64_t file = 0;
  std::string path;
  FileStatus status = FileStatus::valid;
  base::Digest source_sha256{};  ///< of the whole file: BOM and CR left out
  lineage::Learning learning;
};

struct LearningFilter {
  std::string agent;  ///< empty: every agent
  std::optional<lineage::MemoryType> type;
};

struct LearningCounts {
  std::array<std::uint64_t, lineage::kLearningStatusNames.size()> by_status{};
  /// Below memory/learnings/ and with an error; whose they would be is not asked.
  std::uint64_t invalid = 0;
  std::uint64_t duplicates = 0;  ///< of one that counts

  std::uint64_t of(lineage::LearningStatus status) const {
    return by_status[static_cast<std::size_t>(status)];
  }
  std::uint64_t notes() const {
    return std::accumulate(by_status.begin(), by_status.end(), invalid + duplicates);
  }
};

/// Of the valid notes of one agent with the same id the smallest path counts, and the others have
/// the finding duplicate-learning. Works that out anew for these ids, inside the caller's
/// transaction; returns whether anything has changed.
Result<bool> settle_learnings(store::Database& database, const std::set<std::uint64_t>& ids);

}  // namespace daybook::index
