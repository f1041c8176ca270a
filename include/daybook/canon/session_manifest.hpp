// SPDX-License-Identifier: MIT
//
// A session's newly captured artifacts -> its manifest: made if there is none, else changed by
// compare-and-swap so that it names the new files as the newest of their kinds and the former ones
// under earlier_paths. Unknown fields of a foreign manifest stay, and so does a body that is not
// just the list of links that is written here. All of memory/ is synced on return: the artifacts
// that were named before are durable with it. Called by the holder of the session's lock. Failure
// leaves the manifest as it was.
#pragma once

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/canon/artifact_writer.hpp"
#include "daybook/canon/file_place.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <optional>
#include <span>
#include <string>

namespace daybook::canon {

struct ManifestUpdate {
  lineage::SessionFields session;  ///< captured_at: the one in the manifest's name
  std::string device;              ///< of whoever makes it
  std::span<const WrittenArtifact> artifacts;
  lineage::Timestamp now;
};

/// A session's first manifest that stands in its folder without its name. Thrown away unless it is
/// recorded.
struct ManifestDraft {
  std::string path;
  std::string text;
  base::AtomicFile file;
};

/// So that it goes to the disk together with the artifacts that it names, which then need not have
/// their names yet. Nothing where there is a manifest already.
Result<std::optional<ManifestDraft>> draft_manifest(base::Disk& disk,
                                                    const FilePlace& place,
                                                    const ManifestUpdate& update);

/// `place.path` is where it stands, or where it is to be made: of the draft, if that still says
/// what is to be said.
Result<ManifestOutcome> record_in_manifest(base::Disk& disk,
                                           const FilePlace& place,
                                           const ManifestUpdate& update,
                                           std::optional<ManifestDraft> draft = std::nullopt);

}  // namespace daybook::canon
