// SPDX-License-Identifier: MIT
#include "daybook/state/trash.hpp"

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/base/durable.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/lineage/link_target.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::state {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivateFolder = 0700;
constexpr mode_t kPrivateFile = 0600;
constexpr int kMostTimes = 1000;
using FolderHandle = base::Descriptor;

/// One folder below another, made if need be, and durable under its name.
Result<FolderHandle> step_into(const FolderHandle& parent, const std::string& name) {
  if (::mkdirat(parent.get(), name.c_str(), kPrivateFolder) == 0) {
    if (base::keeps(base::Safety::trash_sync) && ::fsync(parent.get()) != 0) {
      return base::system_error("making a folder in the trash", name, errno);
    }
  } else if (errno != EEXIST) {
    return base::system_error("making a folder in the trash", name, errno);
  }
  FolderHandle folder(
      ::openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.get() < 0) {
    return base::system_error("opening a folder in the trash", name, errno);
  }
  return folder;
}

/// The folder that is to hold the file.
Result<FolderHandle> make_way(const std::string& trash, const std::string& time, std::string path) {
  FolderHandle folder(::open(trash.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.get() < 0) {
    return base::system_error("opening the trash", trash, errno);
  }
  TRY_ASSIGN(folder, step_into(folder, time));
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/')) {
    TRY_ASSIGN(folder, step_into(folder, path.substr(0, slash)));
    path.erase(0, slash + 1);
  }
  return folder;
}

using Fill = std::function<Result<void>(base::AtomicFile& file, base::Sha256& hash)>;

Result<Trash::Kept> store(const StateFolder& folder,
                          const std::string& path,
                          lineage::Timestamp now,
                          const Fill& fill) {
  if (path.empty() || lineage::escapes_workspace(path)) {
    return Error{ErrorKind::usage, "only files of the workspace are kept in the trash", path, {}};
  }
  TRY_ASSIGN(const std::string trash, folder.make_private_folder(kTrashFolder));
  for (int attempt = 0; attempt < kMostTimes; ++attempt) {
    const std::string time = lineage::to_file_string({now.ms + attempt});
    const Trash::Item item{std::string(trash).append("/").append(time), path};
    struct stat taken {};
    if (::lstat(item.full_path().c_str(), &taken) == 0) {
      continue;
    }
    TRY_ASSIGN(const FolderHandle place, make_way(trash, time, path));
    TRY_ASSIGN(auto file, base::AtomicFile::create_in(place.get(), item.full_path(), kPrivateFile));
    base::Sha256 hash;
    TRY(fill(file, hash));
    TRY(file.commit(base::IfExists::keep));
    return Trash::Kept{item, hash.finish()};
  }
  return Error{ErrorKind::io,
               "the trash holds a thousand copies of this file from one second",
               path,
               "Empty the folder " + trash + "."};
}

}  // namespace

Result<Trash::Kept> Trash::keep(base::Disk& disk,
                                const std::string& path,
                                lineage::Timestamp now) const {
  return store(folder_, path, now, [&](base::AtomicFile& file, base::Sha256& hash) {
    return base::stream_file(disk, folder_.workspace(), path, [&](std::string_view piece) {
      hash.update(piece);
      return file.write(piece);
    });
  });
}

Result<Trash::Kept> Trash::keep_bytes(const std::string& path,
                                      std::string_view bytes,
                                      lineage::Timestamp now) const {
  return store(folder_, path, now, [bytes](base::AtomicFile& file, base::Sha256& hash) {
    hash.update(bytes);
    return file.write(bytes);
  });
}

Result<std::vector<Trash::Item>> Trash::items() const {
  const fs::path trash = folder_.file(kTrashFolder);
  std::vector<Item> found;
  std::error_code trouble;
  if (!fs::exists(trash, trouble)) {
    return found;
  }
  for (auto at = fs::recursive_directory_iterator(trash, trouble);
       !trouble && at != fs::recursive_directory_iterator();
       at.increment(trouble)) {
    if (!at->is_regular_file(trouble)) {
      continue;
    }
    const fs::path relative = at->path().lexically_relative(trash);
    const fs::path time = relative.has_parent_path() ? *relative.begin() : fs::path();
    found.push_back(
        {time.empty() ? trash.string() : (trash / time).string(),
         time.empty() ? relative.string() : relative.lexically_relative(time).string()});
  }
  if (trouble) {
    return base::system_error("listing the trash", trash.string(), trouble.value());
  }
  std::sort(found.begin(), found.end(), [](const Item& left, const Item& right) {
    return left.full_path() < right.full_path();
  });
  return found;
}

Result<void> Trash::erase(const Item& item) const {
  const fs::path file = item.full_path();
  TRY(base::erase_file(file.string(), "removing a file from the trash"));
  // Folders that still hold something refuse, and end the way up.
  for (fs::path folder = file.parent_path();
       folder != fs::path(folder_.file(kTrashFolder)) && ::rmdir(folder.c_str()) == 0;
       folder = folder.parent_path()) {
  }
  return {};
}

}  // namespace daybook::state
