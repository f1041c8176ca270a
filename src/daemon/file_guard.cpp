// SPDX-License-Identifier: MIT
#include "daybook/daemon/file_guard.hpp"

#include <sys/stat.h>
#include <utility>

namespace daybook::daemon {
namespace {

std::string marks_of(const std::vector<std::string>& paths) {
  std::string marks;
  for (const std::string& path : paths) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) {
#ifdef __APPLE__
      const timespec& changed = status.st_ctimespec;
#else
      const timespec& changed = status.st_ctim;
#endif
      marks.append(std::to_string(status.st_ino))
          .append(" ")
          .append(std::to_string(status.st_size))
          .append(" ")
          .append(std::to_string(changed.tv_sec))
          .append(".")
          .append(std::to_string(changed.tv_nsec));
    }
    marks.append("\n");
  }
  return marks;
}

}  // namespace

void FileGuard::remember(std::vector<std::string> paths) {
  paths_ = std::move(paths);
  known_ = seen_ = marks_of(paths_);
}

bool FileGuard::altered() {
  std::string now = marks_of(paths_);
  const bool rests = now == seen_;
  seen_ = std::move(now);
  if (!rests || seen_ == known_) {
    return false;
  }
  known_ = seen_;
  return true;
}

}  // namespace daybook::daemon
