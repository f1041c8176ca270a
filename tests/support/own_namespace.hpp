// SPDX-License-Identifier: MIT
//
// A user namespace for this process, in which limits can be set and disks mounted without touching
// the machine's. For good, and only while the process has one thread: for children.
#pragma once

#include <fstream>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace daybook::support {

inline bool write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  return file.good();
}

/// `flags`: of unshare(2), beside CLONE_NEWUSER. False where the machine does not allow it.
inline bool enter_namespace(int flags) {
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  return ::unshare(CLONE_NEWUSER | flags) == 0 && write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") &&
         write_text("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
}

}  // namespace daybook::support
