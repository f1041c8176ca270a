// SPDX-License-Identifier: MIT
#include "daybook/base/folder_walk.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace daybook::base {
namespace {

constexpr int kDeepest = 64;  // folders in folders; a bound, not a feature
constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

void walk(const WalkedFolder& folder,
          const std::string& path,
          int depth,
          const FolderVisitor& visit) {
  for (const std::string& name : folder.names()) {
    std::string below(path);
    below.append("/").append(name);
    if (visit(folder.get(), name, below) == Walk::into && depth < kDeepest) {
      walk(WalkedFolder(folder.get(), name), below, depth + 1, visit);
    }
  }
}

}  // namespace

WalkedFolder::WalkedFolder(int parent, const std::string& name)
    : folder_(::openat(parent, name.c_str(), kFlags)) {}

WalkedFolder::~WalkedFolder() {
  if (folder_ >= 0) {
    ::close(folder_);
  }
}

std::vector<std::string> WalkedFolder::names() const {
  std::vector<std::string> names;
  const int listed = folder_ < 0 ? -1 : ::openat(folder_, ".", kFlags);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(listed < 0 ? nullptr : ::fdopendir(listed),
                                                   ::closedir);
  if (!stream) {
    return names;
  }
  // readdir() is safe on a stream that only this thread has.
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      names.emplace_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

void walk_folder(const std::string& path, const FolderVisitor& visit) {
  walk(WalkedFolder(AT_FDCWD, path), path, 0, visit);
}

std::optional<struct stat> entry_status(int folder, const std::string& name) {
  struct stat status {};
  return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 ? std::optional(status)
                                                                            : std::nullopt;
}

}  // namespace daybook::base
