// SPDX-License-Identifier: MIT
#include "daybook/host/this_program.hpp"

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace daybook::host {

#ifdef __APPLE__

Result<std::string> this_program() {
  char given[PATH_MAX];
  char real[PATH_MAX];
  std::uint32_t size = sizeof given;
  if (::_NSGetExecutablePath(given, &size) != 0 || ::realpath(given, real) == nullptr) {
    return base::system_error("cannot find where this program lies", {}, errno);
  }
  return std::string(real);
}

Result<std::string> this_program_now() { return this_program(); }

#else

namespace {
constexpr const char* kSelf = "/proc/self/exe";
}  // namespace

Result<std::string> this_program() {
  std::string path(PATH_MAX, '\0');
  const ssize_t size = ::readlink(kSelf, path.data(), path.size());
  if (size < 0) {
    return base::system_error("cannot find where this program lies", kSelf, errno);
  }
  path.resize(static_cast<std::size_t>(size));
  if (::access(path.c_str(), X_OK) != 0) {
    return Error{ErrorKind::not_found,
                 "this program was replaced or deleted since it started",
                 path,
                 "Run the command again."};
  }
  return path;
}

Result<std::string> this_program_now() { return std::string(kSelf); }

#endif

}  // namespace daybook::host
