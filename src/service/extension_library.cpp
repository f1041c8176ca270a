// SPDX-License-Identifier: MIT
#include "service/extension_library.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::service {
namespace {

namespace fs = std::filesystem;

bool is_of_others(const struct stat& status) {
  return status.st_uid != ::geteuid() && status.st_uid != 0;
}

bool others_may_write(const struct stat& status) {
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

Error refused(const std::string& path, std::string why) {
  return {ErrorKind::not_permitted, std::move(why), path, {}};
}

/// Whether what stands in the folder stays what it is, though others may write the folder: as in
/// /tmp, where everybody may make a file and only its owner may replace it.
bool is_kept_in(const struct stat& folder, const fs::path& entry) {
  struct stat status {};
  return (folder.st_mode & S_ISVTX) != 0 && ::lstat(entry.c_str(), &status) == 0 &&
         !is_of_others(status);
}

/// Every folder on the way, as it is written: what may be exchanged in one leads elsewhere.
Result<void> judge_folders(const fs::path& file) {
  fs::path entry = file;
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) {
      return refused(folder.string(), "a folder that it lies in cannot be looked at");
    }
    if (is_of_others(status)) {
      return refused(folder.string(), "a folder that it lies in belongs to another user");
    }
    if (others_may_write(status) && !is_kept_in(status, entry)) {
      return refused(folder.string(), "others may write a folder that it lies in");
    }
    if (!folder.has_relative_path()) {
      return {};
    }
    entry = folder;
  }
}

}  // namespace

Result<ExtensionLibrary> ExtensionLibrary::open(const std::string& path,
                                                const std::string& workspace) {
  // Not waiting, should it be a pipe.
  base::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    return refused(path,
                   errno == ENOENT  ? "it is not there"
                   : errno == ELOOP ? "it is no regular file"
                                    : "it cannot be read");
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return refused(path, "it is no regular file");
  }
  if (is_of_others(status)) {
    return refused(path, "it belongs to another user");
  }
  if (others_may_write(status)) {
    return refused(path, "others may write it");
  }
  std::error_code trouble;
  const fs::path real = fs::canonical(path, trouble);
  if (trouble || real.string().starts_with(workspace + "/")) {
    return refused(path, "it lies in the workspace");
  }
  TRY(judge_folders(fs::path(path).lexically_normal()));
  TRY(judge_folders(real));
  return ExtensionLibrary(path, std::move(file));
}

std::string ExtensionLibrary::loadable_path() const {
  std::string held = "/proc/self/fd/" + std::to_string(file_.get());
  return ::access(held.c_str(), R_OK) == 0 ? held : path_;
}

}  // namespace daybook::service
