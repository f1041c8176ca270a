// SPDX-License-Identifier: MIT
//
// The place of one projection in the vault: its folder held open, made on the way without following
// a link, and what stands there now. Owned by one publication; closes what it opened. Failure
// leaves at most an empty folder.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::projection {

/// What tells one state of a file from another, cheaply.
struct FileMark {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  bool operator==(const FileMark&) const = default;
};

struct FoundFile {
  FileMark mark;
  base::Digest sha256{};
  /// Of a file that is too large to be ours only the beginning.
  std::string text;
};

class PublishedFile {
 public:
  static Result<PublishedFile> open(const std::string& workspace, std::string_view relative);

  PublishedFile(PublishedFile&& other) noexcept;
  PublishedFile& operator=(PublishedFile&&) = delete;
  ~PublishedFile();

  int folder() const { return folder_; }
  /// Full, for messages.
  const std::string& path() const { return path_; }

  /// Nothing when there is none. A link, a folder or anything else but a file is not_regular.
  Result<std::optional<FoundFile>> read() const;
  /// Of whatever is there at this moment, also of a link or a folder; nothing when there is
  /// nothing.
  std::optional<FileMark> mark() const;
  /// Copies the whole file, synced, to a new private file, and tells the hash of what was copied.
  Result<base::Digest> copy_to(const std::string& target) const;
  /// Removes temporaries that a killed process has left an hour or longer ago.
  void remove_leftovers(std::int64_t now_ms) const;

 private:
  PublishedFile() = default;
  Result<int> open_file() const;

  int folder_ = -1;
  std::string path_;
  std::string name_;
};

}  // namespace daybook::projection
