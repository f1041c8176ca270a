// SPDX-License-Identifier: MIT
//
// memory/learnings/ -> the notes in it and in its sub-folders. No link is followed, names that
// begin with a dot are passed over. No such folder: no notes. A folder that cannot be read is an
// error: what is in it may be what somebody wants forgotten. Any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <string>
#include <vector>

namespace daybook::scan {

/// Workspace-relative paths of regular files that end with `.md`, sorted.
Result<std::vector<std::string>> list_learnings(base::Disk& disk, const std::string& workspace);

}  // namespace daybook::scan
