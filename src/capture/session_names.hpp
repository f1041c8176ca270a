// SPDX-License-Identifier: MIT
//
// memory/ -> the files of one session and all tombstones, by their names alone: what a capture has
// to know of the vault, without an index that may be behind. One listing; nothing is opened. A
// folder that cannot be read is an error: what is in it may forbid the capture.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact_name.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace daybook::capture {

struct NamedFile {
  std::string path;  ///< workspace-relative
  lineage::ArtifactName name;
};

struct SessionNames {
  std::vector<NamedFile> files;       ///< artifacts and manifests, newest first
  std::vector<NamedFile> tombstones;  ///< of all sessions

  /// The manifest that counts: directly in memory/, else the smallest path. Empty: none.
  std::string manifest() const;
};

/// A folder that cannot be read may hold what is looked for. Only who asks for tombstones may pass
/// it over: those that came into force here are known to state.db as well.
enum class LockedFolder : std::uint8_t { is_an_error, passed_over };

/// `tokens`: the session's, in all its forms.
Result<SessionNames> session_names(base::Disk& disk,
                                   const std::string& workspace,
                                   std::span<const lineage::SessionToken> tokens,
                                   LockedFolder locked = LockedFolder::is_an_error);

}  // namespace daybook::capture
