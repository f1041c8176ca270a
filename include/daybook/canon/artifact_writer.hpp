// SPDX-License-Identifier: MIT
//
// Immutable artifacts as values and bodies -> their files in memory/. All are written and synced
// under temporary names first, then given their names in the order of the list: whoever looks sees
// whole files, and never a later one without an earlier one. An existing file of the same bytes
// means that it was done before; other bytes are ErrorKind::already_exists, and then nothing of
// this call is left. The names are durable only when the folder is synced, which the manifest's
// writing does. Called by the holder of the session's lock; one thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
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

Result<std::vector<WrittenArtifact>> write_artifacts(base::Disk& disk,
                                                     const std::string& workspace,
                                                     std::span<const NewArtifact> artifacts,
                                                     const ArtifactStep& named);

}  // namespace daybook::canon
