// SPDX-License-Identifier: MIT
//
// A removal as a value -> its file in the vault, `memory/{removed_at}--{token}--tombstone.md`, and
// a removal that is lifted -> `lifted_at` in that file. The file holds no content and no sentence
// of what was removed. What is written is read back as the same value without findings, so that a
// file restored from the second copy in state.db says what the lost one said. Any thread, any
// process; failure leaves the vault as it was. Durable on return.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/file_place.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <string>

namespace daybook::canon {

/// Workspace-relative; needs `removed_at`.
std::string tombstone_path(const lineage::Tombstone& tombstone);

/// ErrorKind::usage for what no tombstone can say: no time, an invalid agent_id, text that is not
/// UTF-8, more paths and hashes than fit into a frontmatter (64 KiB). An empty reason is written as
/// `unspecified`, because the field is required.
Result<std::string> tombstone_text(const lineage::Tombstone& tombstone);

enum class TombstoneWrite : std::uint8_t {
  already_there,  ///< the file said so already
  written,
};

struct TombstoneOutcome {
  TombstoneWrite write = TombstoneWrite::already_there;
  std::string path;
  base::Digest sha256{};  ///< of the file's bytes as they are now
};

/// Also restores a missing file from its record. A different file of the same name is
/// ErrorKind::already_exists and stays untouched. `memory/` must exist and be no link.
Result<TombstoneOutcome> write_tombstone(base::Disk& disk,
                                         const std::string& workspace,
                                         const lineage::Tombstone& tombstone);

/// One that is lifted already keeps its time. Everything else in the file stays as it is.
Result<TombstoneOutcome> lift_tombstone(base::Disk& disk,
                                        const FilePlace& place,
                                        lineage::Timestamp lifted_at);

}  // namespace daybook::canon
