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

}  // namespace

Error system_error(std::string_view attempted, std::string_view path, int error_number) {
  Error error;
  error.kind = kind_of(error_number);
  error.message = std::string(attempted) + ": " + std::generic_category().message(error_number);
  error.path = path;
  return error;
}

}  // namespace daybook::base
