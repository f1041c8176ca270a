// SPDX-License-Identifier: MIT
//
// The modes of the state folder: 0700 for folders and 0600 for files, whatever the umask was.
#include "daybook/base/folder_walk.hpp"
#include "doctor/probes.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace daybook::doctor {
namespace {

constexpr mode_t kPermissions = 07777;

mode_t wanted_mode(const struct stat& status) { return S_ISDIR(status.st_mode) ? 0700 : 0600; }

bool has_mode(const struct stat& status) {
  return S_ISDIR(status.st_mode) || S_ISREG(status.st_mode);
}

bool is_wrong(const struct stat& status) {
  return has_mode(status) && (status.st_mode & kPermissions) != wanted_mode(status);
}

}  // namespace

bool is_our_state(const DoctorRequest& request) {
  struct stat root {};
  if (::lstat(request.state_path.c_str(), &root) != 0 || !S_ISDIR(root.st_mode) ||
      root.st_uid != request.system.user) {
    return false;
  }
  const auto folder =
      state::StateFolder::open(request.state_path, request.workspace, state::Create::look_only);
  return folder || folder.error().kind == ErrorKind::damaged;  // only its record is
}

std::vector<std::string> files_with_wrong_mode(const DoctorRequest& request) {
  std::vector<std::string> wrong;
  if (!is_our_state(request)) {
    return wrong;
  }
  struct stat root {};
  if (::lstat(request.state_path.c_str(), &root) == 0 && is_wrong(root)) {
    wrong.push_back(request.state_path);
  }
  base::walk_folder(request.state_path,
                    [&wrong](int folder, const std::string& name, const std::string& path) {
                      const auto status = base::entry_status(folder, name);
                      if (status && is_wrong(*status)) {
                        wrong.push_back(path);
                      }
                      return base::Walk::into;
                    });
  return wrong;
}

Result<void> tighten_mode(const std::string& path, uid_t user) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    return errno == ENOENT ? Result<void>() : base::system_error("cannot look at", path, errno);
  }
  if (!has_mode(status) || status.st_uid != user) {
    return Error{ErrorKind::not_permitted,
                 "its mode is not changed, because it is not yours",
                 path,
                 "Give it back with chown."};
  }
  if (::fchmodat(AT_FDCWD, path.c_str(), wanted_mode(status), AT_SYMLINK_NOFOLLOW) != 0) {
    return base::system_error("cannot set the mode", path, errno);
  }
  return {};
}

}  // namespace daybook::doctor
