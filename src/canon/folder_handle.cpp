// SPDX-License-Identifier: MIT
#include "canon/folder_handle.hpp"

#include "daybook/base/safety.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace daybook::canon {

Result<FolderHandle> open_folder(const std::string& workspace, std::string_view relative) {
  FolderHandle folder(::open(workspace.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) {
    return base::system_error("cannot open the workspace", workspace, errno);
  }
  while (!relative.empty()) {
    const std::size_t slash = std::min(relative.find('/'), relative.size());
    const std::string part(relative.substr(0, slash));
    relative.remove_prefix(std::min(slash + 1, relative.size()));
    if (part.empty() || part == "..") {
      return Error{ErrorKind::usage, "this path leads out of the workspace", part, {}};
    }
    FolderHandle next(
        ::openat(folder.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (next.get() < 0) {
      return base::system_error("cannot open the folder to write into", part, errno);
    }
    folder = std::move(next);
  }
  return folder;
}

Result<void> sync_folder(const FolderHandle& folder, const std::string& path) {
  if (base::keeps(base::Safety::memory_folder_sync) && ::fsync(folder.get()) != 0) {
    return base::system_error("cannot sync the folder", path, errno);
  }
  return {};
}

PathParts split_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? PathParts{{}, path}
                                    : PathParts{path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace daybook::canon
