// SPDX-License-Identifier: MIT
//
// A folder of the workspace held open for writing into, which base::Folder is not. A path from the
// workspace's root -> a descriptor, part by part, so that a folder that was swapped for a link
// leads nowhere. One thread an object.
#pragma once

#include "daybook/base/descriptor.hpp"
#include "daybook/base/result.hpp"

#include <string>
#include <string_view>

namespace daybook::canon {

using FolderHandle = base::Descriptor;

struct PathParts {
  std::string folder;
  std::string name;
};

PathParts split(const std::string& path);

Result<FolderHandle> open_folder(const std::string& workspace, std::string_view relative);

}  // namespace daybook::canon
