// SPDX-License-Identifier: MIT
#include "daybook/daemon/warm_databases.hpp"

#include <sys/stat.h>

namespace daybook::daemon {
namespace {

constexpr int kBusyMs = 100;

std::uint64_t inode_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_ino) : 0;
}

}  // namespace

WarmDatabases::WarmDatabases(const state::StateFolder& folder) {
  for (const char* name : {"index.db", "state.db", "lease.db"}) {
    kept_.push_back({folder.file(name), 0, {}});
  }
}

void WarmDatabases::warm() {
  for (Kept& kept : kept_) {
    const std::uint64_t inode = inode_of(kept.path);
    if (kept.database && kept.inode == inode) {
      continue;
    }
    kept.database.reset();
    auto opened = inode == 0
                      ? Result<store::Database>(Error{})
                      : store::Database::open(kept.path, {store::Access::read_only, kBusyMs});
    // A connection counts as one when it has read something.
    if (opened && opened->integer("SELECT count(*) FROM sqlite_master")) {
      kept.inode = inode;
      kept.database.emplace(std::move(opened).value());
    }
  }
}

}  // namespace daybook::daemon
