// SPDX-License-Identifier: MIT
#include "canon/swap_file.hpp"

#include "canon/folder_handle.hpp"
#include "canon/open_writers.hpp"
#include "canon/rewrite_file.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/safety.hpp"

#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <utility>

namespace daybook::canon {
namespace {

/// Held open, and locked like every temporary, so that nobody takes it for a leftover.
Result<base::Descriptor> open_locked(int folder, const std::string& name, const std::string& path) {
  base::Descriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    return base::system_error("cannot open the file", path, errno);
  }
  static_cast<void>(::flock(file.get(), LOCK_EX | LOCK_NB));
  return file;
}

bool is_named(int folder, const std::string& name, int file) {
  struct stat named {};
  struct stat open {};
  return ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(file, &open) == 0 && named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

/// What came out. `known` was open before, under the file's name: after the exchange nothing has to
/// be opened unless somebody has put another file there; `other` then holds that one's lock until
/// it has its name back, since under a temporary's name it would pass for a leftover.
Result<std::string> read_displaced(int folder,
                                   const base::AtomicFile& file,
                                   const base::Descriptor& known,
                                   base::Descriptor& other,
                                   const std::string& path) {
  if (is_named(folder, file.temporary_name(), known.get())) {
    return read_settled(known.get(), path);
  }
  TRY_ASSIGN(other, open_locked(folder, file.temporary_name(), path));
  return read_settled(other.get(), path);
}

/// As synchronisers call what two have changed at once, so that 'daybook conflicts' knows it.
std::string conflict_name(const std::string& name, const timespec& changed) {
  std::tm time{};
  std::array<char, 32> text{};
  ::gmtime_r(&changed.tv_sec, &time);
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &time);
  const std::string stem = name.ends_with(".md") ? name.substr(0, name.size() - 3) : name;
  return stem + ".sync-conflict-" + std::string(text.data(), length) + "-DAYBOOK" +
         std::to_string(changed.tv_nsec) + ".md";
}

Result<void> keep_as_conflict(int folder, base::AtomicFile& file, const std::string& name) {
  struct stat known {};
  static_cast<void>(::fstatat(folder, file.temporary_name().c_str(), &known, AT_SYMLINK_NOFOLLOW));
  return file.keep_temporary_as(conflict_name(name, known.st_mtim));
}

/// What we have written, to know it again.
struct Ours {
  base::Descriptor file;
  std::string_view bytes;
};

/// Theirs gets its name back. If somebody has meanwhile changed ours as well, that becomes a copy
/// beside it: of two versions by others none is ours to throw away.
Result<void> give_back(int folder,
                       base::AtomicFile& file,
                       const Ours& ours,
                       const std::string& path) {
  const std::string name = split_path(path).name;
  const auto back = file.exchange();
  if (!back || !*back) {
    TRY(keep_as_conflict(folder, file, name));
    return back ? Result<void>() : Result<void>(back.error());
  }
  if (is_named(folder, file.temporary_name(), ours.file.get())) {
    const auto bytes = read_settled(ours.file.get(), path);
    if (bytes && *bytes == ours.bytes) {
      TRY(file.finish_exchange());
      return keep_late_save(folder, ours.file.get(), ours.bytes, path);
    }
  }
  return keep_as_conflict(folder, file, name);
}

}  // namespace

Result<void> keep_late_save(int folder,
                            int removed,
                            std::string_view expected,
                            const std::string& path) {
  TRY_ASSIGN(const std::string bytes, read_settled(removed, path));
  if (bytes == expected) {
    return {};
  }
  struct stat known {};
  static_cast<void>(::fstat(removed, &known));
  const PathParts parts = split_path(path);
  TRY_ASSIGN(base::AtomicFile copy,
             base::AtomicFile::create_in(
                 folder, parts.folder + "/" + conflict_name(parts.name, known.st_mtim)));
  TRY(copy.write(bytes));
  return copy.commit(base::IfExists::keep);
}

Result<bool> swap_file(base::Disk& disk,
                       const FilePlace& place,
                       std::string_view expected,
                       std::string_view bytes) {
  const PathParts parts = split_path(place.path);
  TRY_ASSIGN(const FolderHandle folder, open_folder(place.workspace, parts.folder));
  TRY_ASSIGN(base::AtomicFile file, base::AtomicFile::create_in(folder.get(), place.path));
  TRY(file.write(bytes));
  TRY(file.sync());  // before the last look: between that and the rename there is then no wait
  // Both are open before anything changes its name: afterwards there may be no descriptor left.
  TRY_ASSIGN(const base::Descriptor known, open_locked(folder.get(), parts.name, place.path));
  Ours ours{base::Descriptor(), bytes};
  TRY_ASSIGN(ours.file, open_locked(folder.get(), file.temporary_name(), place.path));
  TRY(await_settled(known.get(), place.path));
  TRY_ASSIGN(const std::string now, read_whole(disk, place.workspace, place.path));
  if (base::keeps(base::Safety::swap_compare) && now != expected) {
    return false;
  }
  TRY_ASSIGN(const bool exchanged, file.exchange());
  if (!exchanged) {  // some network file systems: then the last look has to do
    TRY(file.commit(base::IfExists::replace));
    return true;
  }
  base::Descriptor other;
  const auto displaced = read_displaced(folder.get(), file, known, other, place.path);
  if (!base::keeps(base::Safety::swap_compare) || (displaced && *displaced == expected)) {
    TRY(file.finish_exchange());
    TRY(keep_late_save(folder.get(), other ? other.get() : known.get(), expected, place.path));
    return true;
  }
  TRY(give_back(folder.get(), file, ours, place.path));
  return displaced ? Result<bool>(false) : Result<bool>(displaced.error());
}

}  // namespace daybook::canon
