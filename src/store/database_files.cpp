// SPDX-License-Identifier: MIT
#include "daybook/store/database.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace daybook::store {

Result<std::string> set_aside(const std::string& path) {
  constexpr int kMost = 1000;
  for (int number = 1; number <= kMost; ++number) {
    std::string aside = path + ".set-aside-" + std::to_string(number);
    if (::access(aside.c_str(), F_OK) == 0) {
      continue;
    }
    if (::rename(path.c_str(), aside.c_str()) != 0) {
      return base::system_error("setting a damaged database aside", path, errno);
    }
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
      static_cast<void>(::rename((path + suffix).c_str(), (aside + suffix).c_str()));
    }
    return aside;
  }
  return Error{ErrorKind::io,
               "there are a thousand damaged databases set aside already",
               path,
               "Look at the *.set-aside-* files beside it and remove them."};
}

Result<void> remove_database(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    const std::string file = path + suffix;
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) {
      return base::system_error("removing a database", file, errno);
    }
  }
  return {};
}

}  // namespace daybook::store
