// SPDX-License-Identifier: MIT
#include "daybook/canon/unlink_file.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/link_target.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::canon {
namespace {

using FolderHandle = base::Descriptor;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

bool is_below_memory(const std::string& path) {
  return path.starts_with("memory/") && !lineage::escapes_workspace(path);
}

Error refused(const std::string& path) {
  return {ErrorKind::usage, "only files below memory/ are ever removed", path, {}};
}

/// `MEMORY (1).md`, `agents/{agent_id}/MEMORY (1).md`
bool is_memory_md_copy(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = path.substr(slash + 1);
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash);
  const bool beside =
      folder.empty() || (folder.starts_with("agents/") && folder.find('/') == folder.rfind('/'));
  return beside && !lineage::escapes_workspace(path) &&
         lineage::read_memory_md_copy(name) != lineage::MemoryMdCopy::no;
}

Result<Unlinked> unlink_at(const std::string& workspace, const std::string& path) {
  FolderHandle folder(::open(workspace.c_str(), kFolderFlags));
  std::string_view rest(path);
  for (std::size_t slash = rest.find('/'); folder.get() >= 0 && slash != std::string_view::npos;
       slash = rest.find('/')) {
    const std::string part(rest.substr(0, slash));
    folder = FolderHandle(::openat(folder.get(), part.c_str(), kFolderFlags | O_NOFOLLOW));
    rest.remove_prefix(slash + 1);
  }
  const std::string name(rest);
  struct stat status {};
  if (folder.get() < 0 ||
      ::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? Result<Unlinked>(Unlinked::was_not_there)
                           : base::system_error("removing a file", path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorKind::not_regular,
                 "this is no regular file, so it was not removed",
                 path,
                 "Look at it and remove it by hand."};
  }
  if (::unlinkat(folder.get(), name.c_str(), 0) != 0) {
    return errno == ENOENT ? Result<Unlinked>(Unlinked::was_not_there)
                           : base::system_error("removing a file", path, errno);
  }
  // Without this a power cut could bring the name back.
  if (base::keeps(base::Safety::unlink_sync) && ::fsync(folder.get()) != 0) {
    return base::system_error("removing a file for good", path, errno);
  }
  return Unlinked::done;
}

}  // namespace

Result<Unlinked> unlink_file(const std::string& workspace, const std::string& path) {
  return is_below_memory(path) ? unlink_at(workspace, path) : refused(path);
}

Result<Unlinked> unlink_unchanged(base::Disk& disk,
                                  const std::string& workspace,
                                  const std::string& path,
                                  const base::Digest& bytes) {
  if (!is_below_memory(path) && !is_memory_md_copy(path)) {
    return refused(path);
  }
  const auto now = base::hash_file(disk, workspace, path);
  if (!now) {
    return now.error().kind == ErrorKind::not_found ? Result<Unlinked>(Unlinked::was_not_there)
                                                    : now.error();
  }
  return *now == bytes ? unlink_at(workspace, path) : Unlinked::has_changed;
}

}  // namespace daybook::canon
