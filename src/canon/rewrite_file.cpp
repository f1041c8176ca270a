// SPDX-License-Identifier: MIT
#include "canon/rewrite_file.hpp"

#include "canon/session_lock.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/lineage/artifact_name.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::canon {
namespace {

constexpr int kAttempts = 8;
constexpr std::uint64_t kLargestFile = 64ULL * 1024 * 1024;
constexpr mode_t kUsualMode = 0644;

struct PathParts {
  std::string folder;
  std::string name;
};

PathParts split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? PathParts{{}, path}
                                    : PathParts{path.substr(0, slash), path.substr(slash + 1)};
}

/// A folder held open for writing into. base::Folder only reads.
using FolderHandle = base::Descriptor;

/// Part by part, so that a folder that was swapped for a link leads nowhere.
Result<FolderHandle> open_folder(const std::string& workspace, std::string_view relative) {
  FolderHandle folder(::open(workspace.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) {
    return base::system_error("cannot open the workspace", workspace, errno);
  }
  while (!relative.empty()) {
    const std::size_t slash = std::min(relative.find('/'), relative.size());
    const std::string part(relative.substr(0, slash));
    relative.remove_prefix(std::min(slash + 1, relative.size()));
    if (part.empty() || part == "..") {
      return Error{ErrorKind::usage, "this path leads out of the workspace", part, {}};
    }
    FolderHandle next(
        ::openat(folder.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (next.get() < 0) {
      return base::system_error("cannot open the folder to write into", part, errno);
    }
    folder = std::move(next);
  }
  return folder;
}

/// What the file's owner allowed stays so: a vault of private files has no public ones.
mode_t mode_of(int folder, const std::string& name) {
  struct stat known {};
  const bool found = ::fstatat(folder, name.c_str(), &known, AT_SYMLINK_NOFOLLOW) == 0;
  return found ? known.st_mode & 0777U : kUsualMode;
}

Result<lineage::SessionToken> token_of(const std::string& path) {
  const std::string name = split(path).name;
  const lineage::NameReading reading = lineage::read_artifact_name(name);
  if (reading.form != lineage::NameForm::artifact) {
    return Error{ErrorKind::usage, "this is not the name of a canonical file", path, {}};
  }
  return reading.name.token;
}

Error with_path(Error error, const std::string& path) {
  error.path = path;
  return error;
}

/// Writes `bytes` in the place of `expected`. False if something else is there by now.
Result<bool> swap_in(base::Disk& disk,
                     const FilePlace& place,
                     std::string_view expected,
                     std::string_view bytes) {
  const PathParts parts = split(place.path);
  TRY_ASSIGN(const FolderHandle folder, open_folder(place.workspace, parts.folder));
  TRY_ASSIGN(
      base::AtomicFile file,
      base::AtomicFile::create_in(folder.get(), place.path, mode_of(folder.get(), parts.name)));
  TRY(file.write(bytes));
  TRY(file.sync());  // before the last look: between that and the rename there is then no wait
  TRY_ASSIGN(const std::string now, read_whole(disk, place.workspace, place.path));
  if (now != expected) {
    return false;
  }
  TRY(file.commit(base::IfExists::replace));
  return true;
}

}  // namespace

Result<std::string> read_whole(base::Disk& disk,
                               const std::string& workspace,
                               const std::string& path) {
  const PathParts parts = split(path);
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  TRY_ASSIGN(const auto folder, base::open_below(*root, parts.folder));
  auto file = folder->open_file(parts.name);
  if (!file) {
    return with_path(std::move(file).error(), path);
  }
  TRY_ASSIGN(const base::FileStat known, (*file)->stat());
  if (known.type != base::EntryType::file) {
    return Error{ErrorKind::not_regular, "this is no regular file", path, {}};
  }
  if (known.size > kLargestFile) {
    return Error{ErrorKind::damaged, "this file is too large to be edited", path, {}};
  }
  // If it grows meanwhile only its beginning is read, which the last look before a rename notices.
  std::string bytes(known.size, '\0');
  TRY_ASSIGN(const std::size_t count, (*file)->read(bytes));
  bytes.resize(count);
  return bytes;
}

Result<Rewritten> rewrite_file(base::Disk& disk, const FilePlace& place, const FileEdit& edit) {
  TRY_ASSIGN(const lineage::SessionToken token, token_of(place.path));
  TRY_ASSIGN(const SessionLock lock, SessionLock::take(place.lock_folder, token));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    TRY_ASSIGN(const std::string old, read_whole(disk, place.workspace, place.path));
    auto edited = edit(old);
    if (!edited) {
      return with_path(std::move(edited).error(), place.path);
    }
    if (!*edited || **edited == old) {
      return Rewritten{FileWrite::unchanged, base::sha256(old)};
    }
    TRY_ASSIGN(const bool written, swap_in(disk, place, old, **edited));
    if (written) {
      return Rewritten{FileWrite::written, base::sha256(**edited)};
    }
  }
  return Error{ErrorKind::busy,
               "somebody else keeps changing this file",
               place.path,
               "close it in the editor or wait for the synchronisation, then try again"};
}

Result<Rewritten> create_file(base::Disk& disk,
                              const std::string& workspace,
                              const std::string& path,
                              std::string_view bytes) {
  TRY_ASSIGN(const FolderHandle folder, open_folder(workspace, split(path).folder));
  TRY_ASSIGN(base::AtomicFile file, base::AtomicFile::create_in(folder.get(), path, kUsualMode));
  TRY(file.write(bytes));
  auto done = file.commit(base::IfExists::keep);
  if (done) {
    return Rewritten{FileWrite::written, base::sha256(bytes)};
  }
  if (done.error().kind != ErrorKind::already_exists) {
    return std::move(done).error();
  }
  TRY_ASSIGN(const std::string there, read_whole(disk, workspace, path));
  if (there == bytes) {
    return Rewritten{FileWrite::unchanged, base::sha256(bytes)};
  }
  return Error{ErrorKind::already_exists, "another file has this name", path, {}};
}

}  // namespace daybook::canon
