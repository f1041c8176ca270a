// SPDX-License-Identifier: MIT
//
// memory/learnings/ -> the notes in it and in its sub-folders, as deep as the listing of the vault
// goes. No link is followed, names that begin with a dot are passed over. No such folder: no notes.
// A folder that cannot be read is passed over and named: the notes elsewhere are no worse for it,
// but what is in it may be what somebody looks for. Any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <string>
#include <vector>

namespace daybook::scan {

struct LearningList {
  std::vector<std::string> paths;       ///< regular files that end with `.md`, sorted
  std::vector<std::string> unreadable;  ///< folders, sorted
};

/// All of it workspace-relative.
Result<LearningList> list_learnings(base::Disk& disk, const std::string& workspace);

}  // namespace daybook::scan
