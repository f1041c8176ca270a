// SPDX-License-Identifier: MIT
//
// A session's manifest + a synchroniser's copy of it -> one manifest that loses no link. The one
// with the higher revision is taken whole, unknown fields and body included; of equal ones that
// which names more files that are there, else the original. Then what only the other one names, is
// there and belongs to the session is added: as the newest of its kind where the winner names none
// or an older one, else under earlier_paths. The result has the higher revision + 1. Written by the
// same compare-and-swap as every change of a manifest, so that somebody who edits the original
// meanwhile loses nothing: the merge is then done anew with what is there. Failure leaves the
// original as it was. Durable on return.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/canon/file_place.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::canon {

enum class MergeWinner : std::uint8_t { original, copy };

struct MergedManifest {
  MergeWinner winner = MergeWinner::original;
  std::uint64_t original_revision = 0;
  std::uint64_t copy_revision = 0;
  std::optional<std::string> text;  ///< nothing: the original says it all already
};

/// Whether a file of that workspace-relative path is there.
using FileExists = std::function<bool(const std::string& path)>;

/// Pure but for `exists`. ErrorKind::damaged when either cannot be read as this session's manifest,
/// or not be edited; the message then says which.
Result<MergedManifest> merged_manifest(std::string_view original,
                                       std::string_view copy,
                                       std::string_view path,
                                       const FileExists& exists,
                                       lineage::Timestamp now);

struct ManifestMerge {
  std::string copy;  ///< its bytes
  FileExists exists;
  /// Told the original's bytes before they give way to the copy's; its failure ends the merge.
  std::function<Result<void>(std::string_view replaced)> before_replacing;
};

/// `place` is the original's.
Result<ManifestWrite> merge_manifest(base::Disk& disk,
                                     const FilePlace& place,
                                     lineage::Timestamp now,
                                     const ManifestMerge& merge);

}  // namespace daybook::canon
