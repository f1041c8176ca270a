// SPDX-License-Identifier: MIT
#include "canon/rewrite_file.hpp"

#include "canon/folder_handle.hpp"
#include "canon/open_writers.hpp"
#include "canon/swap_file.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/lineage/artifact_name.hpp"

#include <fcntl.h>
#include <thread>
#include <utility>

namespace daybook::canon {
namespace {

constexpr int kAttempts = 8;
constexpr std::uint64_t kLargestFile = 64ULL * 1024 * 1024;
constexpr std::chrono::milliseconds kLengthOfASave{20};

Result<lineage::SessionToken> token_of(const std::string& path) {
  const std::string name = split_path(path).name;
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

/// Whether these bytes were only the half of a save that somebody was at.
Result<bool> was_half(const FilePlace& place, std::string_view seen) {
  const PathParts parts = split_path(place.path);
  // Where writers cannot be known; elsewhere it costs little, since such a file is rare.
  std::this_thread::sleep_for(kLengthOfASave);
  TRY_ASSIGN(const FolderHandle folder, open_folder(place.workspace, parts.folder));
  const base::Descriptor file(
      ::openat(folder.get(), parts.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    return true;  // gone by now, which the next reading tells
  }
  TRY_ASSIGN(const std::string settled, read_settled(file.get(), place.path));
  return settled != seen;
}

}  // namespace

Result<std::string> read_whole(base::Disk& disk,
                               const std::string& workspace,
                               const std::string& path) {
  const PathParts parts = split_path(path);
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
  return rewrite_locked(disk, place, edit);
}

Result<Rewritten> rewrite_locked(base::Disk& disk, const FilePlace& place, const FileEdit& edit) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    TRY_ASSIGN(const std::string old, read_whole(disk, place.workspace, place.path));
    auto edited = edit(old);
    if (!edited) {
      TRY_ASSIGN(const bool half, was_half(place, old));
      if (half) {
        continue;
      }
      return with_path(std::move(edited).error(), place.path);
    }
    if (!*edited || **edited == old) {
      return Rewritten{FileWrite::unchanged, base::sha256(old)};
    }
    TRY_ASSIGN(const bool written, swap_file(disk, place, old, **edited));
    if (written) {
      return Rewritten{FileWrite::written, base::sha256(**edited)};
    }
  }
  return Error{ErrorKind::busy,
               "somebody else keeps changing this file",
               place.path,
               "close it in the editor or wait for the synchronisation, then try again"};
}

Result<base::AtomicFile> begin_file(const std::string& workspace,
                                    const std::string& path,
                                    std::string_view bytes) {
  TRY_ASSIGN(const FolderHandle folder, open_folder(workspace, split_path(path).folder));
  TRY_ASSIGN(base::AtomicFile file, base::AtomicFile::create_in(folder.get(), path));
  TRY(file.write(bytes));
  file.begin_sync();
  return file;
}

Result<Rewritten> finish_file(base::Disk& disk,
                              const std::string& workspace,
                              const std::string& path,
                              std::string_view bytes,
                              base::AtomicFile file,
                              base::FolderSync folder_sync) {
  auto done = file.commit(base::IfExists::keep, folder_sync);
  if (done) {
    return Rewritten{FileWrite::written, base::sha256(bytes)};
  }
  if (done.error().kind != ErrorKind::already_exists) {
    return std::move(done).error();
  }
  const auto there = read_whole(disk, workspace, path);
  if (there && *there == bytes) {
    return Rewritten{FileWrite::unchanged, base::sha256(bytes)};
  }
  if (!there && there.error().kind == ErrorKind::io) {
    return there.error();
  }
  // A link, a folder, or what nobody may read has the name, too.
  return Error{ErrorKind::already_exists, "another file has this name", path, {}};
}

Result<Rewritten> create_file(base::Disk& disk,
                              const std::string& workspace,
                              const std::string& path,
                              std::string_view bytes) {
  TRY_ASSIGN(base::AtomicFile file, begin_file(workspace, path, bytes));
  return finish_file(disk, workspace, path, bytes, std::move(file));
}

}  // namespace daybook::canon
