// SPDX-License-Identifier: MIT
//
// Immutable artifacts as values and bodies -> their files in memory/. All are written and synced
// under temporary names first, then given their names in the order of the list: whoever looks sees
// whole files, and never a later one without an earlier one. An existing file of the same bytes
// means that it was done before; other bytes are ErrorKind::already_exists, and then nothing of
// this call is left. The names are durable only when the folder is synced, which the manifest's
// writing does. Called by the holder of the session's lock; one thread.
#pragma once

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::canon {

using TakePiece = std::function<Result<void>(std::string_view piece)>;

/// Hands a body over piece by piece, the same each time it is asked.
using BodySource = std::function<Result<void>(const TakePiece& take)>;

struct NewArtifact {
  lineage::Artifact fields;  ///< all but the line numbers
  BodySource body;
};

enum class ArtifactWrite : std::uint8_t { created, already_there };

struct WrittenArtifact {
  lineage::Kind kind = lineage::Kind::summary;
  std::string path;  ///< workspace-relative
  ArtifactWrite write = ArtifactWrite::created;
  base::Digest sha256{};  ///< of the whole file, which is also its seal
};

/// Workspace-relative.
std::string artifact_path(const lineage::Artifact& artifact);

/// With both fences; every text quoted, in the form that the fast reader knows.
std::string artifact_frontmatter(const lineage::Artifact& artifact);

/// Told after each file that has its name.
using ArtifactStep = std::function<Result<void>(const WrittenArtifact&)>;

/// What is not named is thrown away. `disk` must outlive it.
class ArtifactSet {
 public:
  /// Writes them under temporary names, and tells the disk to begin.
  static Result<ArtifactSet> prepare(base::Disk& disk,
                                     const std::string& workspace,
                                     std::span<const NewArtifact> artifacts);

  /// As they will be, and after name_all() as they are.
  const std::vector<WrittenArtifact>& artifacts() const { return artifacts_; }

  /// Waits for the disk, then gives them their names. Once.
  Result<void> name_all(const ArtifactStep& named);

 private:
  ArtifactSet(base::Disk& disk, std::string workspace, base::Descriptor folder)
      : disk_(disk), workspace_(std::move(workspace)), folder_(std::move(folder)) {}
  void unname(std::size_t count);

  base::Disk& disk_;
  std::string workspace_;
  base::Descriptor folder_;  // memory/
  std::vector<base::AtomicFile> files_;
  std::vector<WrittenArtifact> artifacts_;
};

}  // namespace daybook::canon
