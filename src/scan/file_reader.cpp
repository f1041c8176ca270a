// SPDX-License-Identifier: MIT
#include "daybook/scan/file_reader.hpp"

#include <algorithm>

namespace daybook::scan {
namespace {

constexpr std::size_t kSmallPiece = std::size_t{32} * 1024;

}  // namespace

FileReader::FileReader(base::Folder& workspace) : workspace_(workspace) {}

Result<base::Folder*> FileReader::folder_at(const std::string& path) {
  if (!folder_ || folder_path_ != path) {
    TRY_ASSIGN(folder_, base::open_below(workspace_, path));
    folder_path_ = path;
  }
  return folder_.get();
}

Result<FileReader::Opened> FileReader::open(const std::string& folder,
                                            const std::string& name,
                                            std::uint64_t limit) {
  file_.reset();
  TRY_ASSIGN(base::Folder * parent, folder_at(folder));
  TRY_ASSIGN(file_, parent->open_file(name));
  TRY_ASSIGN(const base::FileStat stat, file_->stat());
  if (stat.type != base::EntryType::file) {
    return Error{ErrorKind::not_regular, "this is no regular file", folder + "/" + name, {}};
  }
  Opened opened;
  opened.size = stat.size;
  opened.stat = stat;
  if (stat.size > limit) {
    opened.too_large = true;
    return opened;
  }
  // One byte more than the file should have, so that its end is seen. As small as that because a
  // reader of one small file would spend its time on clearing a large buffer.
  const std::size_t wanted = std::min<std::uint64_t>(stat.size + 1, kPieceSize);
  if (buffer_.size() < wanted) {
    buffer_.resize(wanted <= kSmallPiece ? kSmallPiece : kPieceSize);
  }
  TRY_ASSIGN(opened.first_piece, next_piece());
  opened.complete = opened.first_piece.size() < buffer_.size();
  return opened;
}

Result<std::string_view> FileReader::next_piece() {
  TRY_ASSIGN(const std::size_t size, file_->read(buffer_));
  return std::string_view(buffer_.data(), size);
}

}  // namespace daybook::scan
