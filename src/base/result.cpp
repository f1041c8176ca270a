// SPDX-License-Identifier: MIT
#include "daybook/base/result.hpp"

#include <cerrno>
#include <system_error>

namespace daybook::base {
namespace {

ErrorKind kind_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return ErrorKind::not_found;
    case EACCES:
    case EPERM:
      return ErrorKind::not_permitted;
    case ELOOP:  // O_NOFOLLOW met a symbolic link
    case ENXIO:  // a socket, or a pipe without its other end
      return ErrorKind::not_regular;
    case EEXIST:
      return ErrorKind::already_exists;
    default:
      return ErrorKind::io;
  }
}

/// What helps, where the system's words alone leave a person at a loss.
std::string_view hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "Free some space on that disk, then try again.";
    case EROFS:
      return "That disk is mounted read-only: mount it for writing, then try again.";
    case EMFILE:
    case ENFILE:
      return "Close other programs or raise the limit of open files (ulimit -n), then try again.";
    case EIO:
      return "The disk has failed to do it: look into the system's log (dmesg), then try again.";
    case EINTR:
      return "A signal came in between: let it pass, then try again.";
    default:
      return {};
  }
}

}  // namespace

Error system_error(std::string_view attempted, std::string_view path, int error_number) {
  Error error;
  error.kind = kind_of(error_number);
  error.message = std::string(attempted) + ": " + std::generic_category().message(error_number);
  error.path = path;
  error.hint = hint_for(error_number);
  return error;
}

}  // namespace daybook::base
