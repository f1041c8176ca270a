// SPDX-License-Identifier: MIT
//
// A folder of the workspace held open for writing into; base::Folder only reads. Reached part by
// part, so that a folder that was swapped for a link leads nowhere. Failure opens nothing.
#pragma once

#include "daybook/base/descriptor.hpp"
#include "daybook/base/result.hpp"

#include <string>
#include <string_view>

namespace daybook::canon {

using FolderHandle = base::Descriptor;

/// `relative` may be empty: the workspace itself.
Result<FolderHandle> open_folder(const std::string& workspace, std::string_view relative);

/// What was named in it is durable on return.
Result<void> sync_folder(const FolderHandle& folder, const std::string& path);

struct PathParts {
  std::string folder;  ///< empty for a file at the root
  std::string name;
};

PathParts split_path(const std::string& path);

}  // namespace daybook::canon
