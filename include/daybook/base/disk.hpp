// SPDX-License-Identifier: MIT
//
// The port through which everything is read: folders held open, files opened by name inside them.
// There is no way to open a path of several parts, and no name is ever followed through a symbolic
// link, so that a folder swapped for a link under us cannot lead outside. The seam for fault tests.
// Handles are owned by whoever opened them and belong to one thread at a time; distinct handles may
// be used by distinct threads. Reading never blocks on a pipe or a device: those are errors
// (`not_regular`).
#pragma once

#include "daybook/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace daybook::base {

enum class EntryType : std::uint8_t { file, folder, symlink, other };

struct FileStat {
  EntryType type = EntryType::other;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
};

class File {
 public:
  virtual ~File() = default;
  virtual Result<FileStat> stat() = 0;
  /// Reads on from where the last call stopped; fewer bytes than asked for only at the end.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
};

class Folder {
 public:
  virtual ~Folder() = default;
  /// Every entry but `.` and `..`, in the order of the file system.
  virtual Result<void> list(const std::function<void(std::string_view name, EntryType)>& visit) = 0;
  virtual Result<FileStat> stat(const std::string& name) = 0;
  virtual Result<std::unique_ptr<Folder>> open_folder(const std::string& name) = 0;
  virtual Result<std::unique_ptr<File>> open_file(const std::string& name) = 0;
};

class Disk {
 public:
  virtual ~Disk() = default;
  /// Opens a folder by its path; this one alone may be reached through links.
  virtual Result<std::unique_ptr<Folder>> open_root(const std::string& path) = 0;
};

/// The real one. Stateless; any thread.
Disk& real_disk();

/// Opens `relative` ("a/b/c", may be empty) part by part below `root`.
Result<std::unique_ptr<Folder>> open_below(Folder& root, std::string_view relative);

}  // namespace daybook::base
