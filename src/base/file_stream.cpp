// SPDX-License-Identifier: MIT
#include "daybook/base/file_stream.hpp"

#include <vector>

namespace daybook::base {
namespace {

constexpr std::size_t kPieceSize = std::size_t{256} * 1024;

Result<std::unique_ptr<File>> open_file(Disk& disk,
                                        const std::string& root,
                                        const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder_path = slash == std::string::npos ? "" : path.substr(0, slash);
  TRY_ASSIGN(const auto top, disk.open_root(root));
  TRY_ASSIGN(const auto folder, open_below(*top, folder_path));
  return folder->open_file(path.substr(slash + 1));
}

}  // namespace

Result<void> stream_file(Disk& disk,
                         const std::string& root,
                         const std::string& path,
                         const std::function<Result<void>(std::string_view)>& take) {
  auto file = open_file(disk, root, path);
  if (!file) {
    file.error().path = path;
    return std::move(file).error();
  }
  std::vector<char> buffer(kPieceSize);
  for (;;) {
    TRY_ASSIGN(const std::size_t count, (*file)->read(buffer));
    if (count == 0) {
      return {};
    }
    TRY(take(std::string_view(buffer.data(), count)));
  }
}

Result<Digest> hash_file(Disk& disk, const std::string& root, const std::string& path) {
  Sha256 hash;
  TRY(stream_file(disk, root, path, [&hash](std::string_view piece) -> Result<void> {
    hash.update(piece);
    return {};
  }));
  return hash.finish();
}

Result<std::string> read_file(Disk& disk,
                              const std::string& root,
                              const std::string& path,
                              std::uint64_t limit) {
  std::string bytes;
  TRY(stream_file(disk, root, path, [&](std::string_view piece) -> Result<void> {
    if (bytes.size() + piece.size() > limit) {
      return Error{ErrorKind::damaged, "this file is too large to be read", path, {}};
    }
    bytes.append(piece);
    return {};
  }));
  return bytes;
}

Result<std::string> read_beginning(Disk& disk,
                                   const std::string& root,
                                   const std::string& path,
                                   std::size_t most) {
  auto file = open_file(disk, root, path);
  if (!file) {
    file.error().path = path;
    return std::move(file).error();
  }
  std::string bytes(most, '\0');
  TRY_ASSIGN(const std::size_t count, (*file)->read(bytes));
  bytes.resize(count);
  return bytes;
}

}  // namespace daybook::base
