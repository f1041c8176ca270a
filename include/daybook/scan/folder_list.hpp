// SPDX-License-Identifier: MIT
//
// memory/ -> memory/ itself and every folder below it that is read: what has to be watched. No link
// is followed. A folder that cannot be read is left out; whoever lists the notes says so. Any
// thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <string>
#include <vector>

namespace daybook::scan {

/// Workspace-relative. Fails when memory/ itself cannot be listed.
Result<std::vector<std::string>> list_folders(base::Disk& disk, const std::string& workspace);

}  // namespace daybook::scan
