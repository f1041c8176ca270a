// SPDX-License-Identifier: MIT
//
// Path -> bytes, within bounds. Ordinary files come whole in one piece; larger ones in pieces, so
// that a transcript of a gigabyte needs no more memory than a note. One reader belongs to one
// thread and keeps its buffer and the folder it read last. A file that vanished, may not be read or
// is no regular file is an Error of that kind; the reader stays usable.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::scan {

class FileReader {
 public:
  /// Files up to this size arrive whole.
  static constexpr std::size_t kPieceSize = 512 * 1024;

  /// The folder handle stays the caller's.
  explicit FileReader(base::Folder& workspace);

  struct Opened {
    std::uint64_t size = 0;
    base::FileStat stat;
    bool too_large = false;  ///< over the limit; nothing was read
    bool complete = false;   ///< first_piece is the whole file
    std::string_view first_piece;
  };

  Result<Opened> open(const std::string& folder, const std::string& name, std::uint64_t limit);
  /// The following piece; empty at the end. Overwrites the one before.
  Result<std::string_view> next_piece();

 private:
  Result<base::Folder*> folder_at(const std::string& path);

  base::Folder& workspace_;
  std::string folder_path_;
  std::unique_ptr<base::Folder> folder_;
  std::unique_ptr<base::File> file_;
  std::vector<char> buffer_;
};

}  // namespace daybook::scan
