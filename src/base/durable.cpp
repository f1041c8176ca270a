// SPDX-License-Identifier: MIT
#include "daybook/base/durable.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/base/safety.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace daybook::base {

Result<void> sync_path(const std::string& path, const std::string& doing) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) {
    return system_error(doing, path, errno);
  }
  return {};
}

Result<void> erase_file(const std::string& path, const std::string& doing) {
  if (::unlink(path.c_str()) != 0) {
    return errno == ENOENT ? Result<void>() : system_error(doing, path, errno);
  }
  return keeps(Safety::erasure_sync) ? sync_path(path.substr(0, path.rfind('/') + 1), doing)
                                     : Result<void>();
}

}  // namespace daybook::base
