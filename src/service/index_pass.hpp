// SPDX-License-Identifier: MIT
//
// Vault -> rows: lists memory/, compares it with what the index knows, examines what has changed in
// parallel, and writes the outcome in one transaction, or builds a new index when there is none
// that can be used. Called by the holder of the pipeline lock. Failure, or being cancelled, leaves
// the index as it was; a vault that cannot be read changes nothing at all.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/capture/learning_guard.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daybook::service {

struct IndexPassRequest {
  Extent extent = Extent::changes;
  lineage::Timestamp now;
  unsigned threads = 0;
  Emptiness emptiness = Emptiness::believed;
  capture::LearningGuard guard;
  std::function<void()> before_building;  ///< called when a new index is about to be built
};

struct IndexPassReport {
  std::uint64_t scanned = 0;  ///< files listed
  std::uint64_t read = 0;     ///< files examined
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  bool emptied = false;  ///< not one note was left, which was doubted: nothing was done
  bool rows_changed = false;
  bool rebuilt = false;  ///< it is a new index
  bool erased = false;   ///< something that fell under a tombstone was in the index until now
  index::IndexMeta meta;
  std::vector<std::int64_t> months_behind;  ///< whose full text is to follow these rows
  std::vector<std::string> notices;         ///< what was mended on the way, one sentence each
};

struct NarrowPassRequest {
  lineage::Timestamp now;
  const capture::LearningGuard& guard;
  std::span<const std::string> hints;  ///< paths that have probably changed
};

/// Brings only the sessions of these paths up to date, at a cost that does not grow with the vault.
/// `index` is open for change. Nothing: that takes a whole pass, and nothing has changed.
Result<std::optional<IndexPassReport>> run_narrow_index_pass(base::Disk& disk,
                                                             const state::StateFolder& folder,
                                                             state::StateDb& state,
                                                             index::OpenedIndex index,
                                                             const NarrowPassRequest& request,
                                                             WorkProgress& progress);

Result<IndexPassReport> run_index_pass(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       state::StateDb& state,
                                       const IndexPassRequest& request,
                                       WorkProgress& progress);

}  // namespace daybook::service
