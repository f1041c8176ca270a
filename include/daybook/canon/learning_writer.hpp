// SPDX-License-Identifier: MIT
//
// Something learned as a value -> its note in memory/learnings/, made exclusively; and a change of
// its standing in place, by compare-and-swap, which keeps unknown fields, order, comments and the
// body to the byte. What is written is read back as the same value without findings. Whoever
// changes notes holds no lock: the lock of the note's learning_token() is taken here. Any thread,
// any process; failure leaves the vault as it was, at most with an empty memory/learnings/. Durable
// on return.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/file_place.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daybook::canon {

/// ErrorKind::usage for what no note can say: no id or content, an invalid agent_id, text that is
/// not UTF-8.
Result<std::string> learning_text(const lineage::Learning& learning);

enum class LearningWrite : std::uint8_t {
  unchanged,
  written,
  name_taken,  ///< another file has the name; nothing was written
};

struct LearningOutcome {
  LearningWrite write = LearningWrite::unchanged;
  std::string path;       ///< workspace-relative
  base::Digest sha256{};  ///< of the file's bytes as they are now
  lineage::Learning learning;
};

/// Each at its learning_path(), in their order; memory/ must exist. They wait for the disk
/// together, so that many cost little more than one. After a failure some of them may be there,
/// whole.
Result<std::vector<LearningOutcome>> write_learnings(base::Disk& disk,
                                                     const std::string& workspace,
                                                     std::span<const lineage::Learning> learnings);

/// What may change in place. `revision` grows by one and `updated_at` is set with it.
struct LearningEdit {
  lineage::LearningStatus status = lineage::LearningStatus::active;
  lineage::PublishTier tier = lineage::PublishTier::active;
  std::optional<lineage::Timestamp> revoked_at;  ///< with its reason
  std::string revoked_reason;
  std::optional<lineage::Sensitivity> sensitivity;  ///< nothing: as it is
};

/// Nothing: it is right as it is. May be called several times, each time with what the note then
/// says.
using ChangeLearning =
    std::function<Result<std::optional<LearningEdit>>(const lineage::Learning& known)>;

/// ErrorKind::not_found when the file is gone or is another one's note by now, ErrorKind::damaged
/// when it cannot be read as a note or not be edited safely.
Result<LearningOutcome> update_learning(base::Disk& disk,
                                        const FilePlace& place,
                                        const std::string& agent_id,
                                        std::uint64_t id,
                                        lineage::Timestamp now,
                                        const ChangeLearning& change);

}  // namespace daybook::canon
