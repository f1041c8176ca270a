// SPDX-License-Identifier: MIT
//
// A canonical file, or a synchroniser's copy of MEMORY.md -> gone, durably. Reached folder by
// folder without following a link, and only if it is a regular file. Failure leaves the vault as it
// was.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"

#include <cstdint>
#include <string>

namespace daybook::canon {

enum class Unlinked : std::uint8_t { done, was_not_there, has_changed };

/// `path` is workspace-relative and lies below memory/; anything else is ErrorKind::usage.
Result<Unlinked> unlink_file(const std::string& workspace, const std::string& path);

/// Only if its bytes are still these: it is read once more directly before. Also a copy of
/// MEMORY.md (by its name) beside where that stands.
Result<Unlinked> unlink_unchanged(base::Disk& disk,
                                  const std::string& workspace,
                                  const std::string& path,
                                  const base::Digest& bytes);

}  // namespace daybook::canon
