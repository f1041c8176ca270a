// SPDX-License-Identifier: MIT
#include "daybook/daemon/root_identity.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace daybook::daemon {

std::string RootIdentity::lasting() const {
  return std::to_string(inode) + " " + std::to_string(born_ns);
}

#ifdef __linux__

std::optional<RootIdentity> look_at_root(const std::string& folder) {
  struct statx status {};
  if (::statx(AT_FDCWD,
              folder.c_str(),
              AT_SYMLINK_NOFOLLOW,
              STATX_TYPE | STATX_INO | STATX_BTIME,
              &status) != 0 ||
      !S_ISDIR(status.stx_mode)) {
    return std::nullopt;
  }
  RootIdentity root;
  root.device = (static_cast<std::uint64_t>(status.stx_dev_major) << 32U) | status.stx_dev_minor;
  root.inode = status.stx_ino;
  if ((status.stx_mask & STATX_BTIME) != 0) {
    root.born_ns = status.stx_btime.tv_sec * 1'000'000'000 + status.stx_btime.tv_nsec;
  }
  return root;
}

#else

std::optional<RootIdentity> look_at_root(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return std::nullopt;
  }
  RootIdentity root;
  root.device = static_cast<std::uint64_t>(status.st_dev);
  root.inode = static_cast<std::uint64_t>(status.st_ino);
#ifdef __APPLE__
  root.born_ns = status.st_birthtimespec.tv_sec * 1'000'000'000LL + status.st_birthtimespec.tv_nsec;
#endif
  return root;
}

#endif

}  // namespace daybook::daemon
