// SPDX-License-Identifier: MIT
//
// What the disk would still have if the power went now, as the strictest reading of the rules has
// it: of a file the bytes at its last fsync, of a folder the names at its last fsync. Kept in a
// folder, FAULT_MIRROR, under the numbers of the inodes; in memory no number is given twice
// (tmpfs). No allocation; any thread.
//
//   <mirror>/<inode>   a file's bytes; or a folder's names, one a line: inode, blank, name
#pragma once

#include "faults/shim_core.hpp"

#include <dirent.h>
#include <sys/stat.h>

namespace daybook::faults::shim {

inline const char* mirror = "";

class Opened {
 public:
  explicit Opened(long fd) : fd_(static_cast<int>(fd)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { real(SYS_close, fd_); }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

inline void mirror_bytes(int from, int to) {
  std::array<char, 65536> buffer{};
  long at = 0;
  for (long count = 1; count > 0; at += count) {
    count = real(SYS_pread64, from, buffer.data(), buffer.size(), at);
    if (count > 0) {
      real(SYS_write, to, buffer.data(), count);
    }
  }
}

inline void mirror_names(int from, int to) {
  struct Entry {
    std::uint64_t inode;
    std::int64_t next;
    unsigned short length;
    unsigned char type;
    char name[256];
  };
  alignas(Entry) std::array<char, 32768> buffer{};
  for (;;) {
    const long count = real(SYS_getdents64, from, buffer.data(), buffer.size());
    if (count <= 0) {
      return;
    }
    for (long at = 0; at < count;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer.data() + at);
      at += entry->length;
      const std::string_view name(entry->name);
      if (name != "." && name != "..") {
        Path line;
        line.add(static_cast<long>(entry->inode)).add(" ").add(name).add("\n");
        real(SYS_write, to, line.c_str(), line.view().size());
      }
    }
  }
}

/// One at a time, so that what was looked at later is what stays.
class Turn {
 public:
  Turn() {
    while (taken.test_and_set()) {
      real(SYS_sched_yield);
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { taken.clear(); }

 private:
  static inline std::atomic_flag taken = ATOMIC_FLAG_INIT;
};

/// Called when a file or folder has just been made durable.
inline void remember_durable(int fd) {
  struct stat status {};
  if (*mirror == '\0' || ::fstat(fd, &status) != 0) {
    return;
  }
  const Turn turn;
  Path link;
  link.add("/proc/self/fd/").add(fd);
  // Opened anew: the one that was given may not be readable, and has a place in the folder's list.
  const Opened from(real(SYS_openat, AT_FDCWD, link.c_str(), O_RDONLY | O_CLOEXEC));
  Path place;
  place.add(mirror).add("/").add(static_cast<long>(status.st_ino));
  const Opened to(real(
      SYS_openat, AT_FDCWD, place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t{0600}));
  if (S_ISDIR(status.st_mode)) {
    mirror_names(from.get(), to.get());
  } else {
    mirror_bytes(from.get(), to.get());
  }
}

}  // namespace daybook::faults::shim
