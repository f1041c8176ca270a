// SPDX-License-Identifier: MIT
//
// A file that is there whole or not at all. Bytes go to a temporary of an unguessable name in the
// same folder; commit() syncs it, renames it to its name and syncs the folder. Whoever reads the
// name sees the old file or the new one, also after a crash. Without commit() the destructor
// removes the temporary. One object belongs to one thread; failure leaves the target as it was.
// Whoever must be quick between a check and the rename calls sync() before the check. While it is
// written a temporary is locked (flock), and the kernel drops that lock with the process: so what a
// killed process has left can be told from what is being written, however young it is.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace daybook::base {

enum class IfExists {
  replace,  ///< the new file takes the old one's place
  keep,     ///< immutable: an existing file is ErrorKind::already_exists and stays untouched
};

enum class FolderSync {
  now,
  left_to_caller,  ///< who gives several files their names and syncs their folder once
};

class AtomicFile {
 public:
  /// Without a mode: that of the file which has the name now, exactly. If there is none, what the
  /// folder itself allows, as far as the umask agrees: in a private folder no file is public.
  static Result<AtomicFile> create(const std::string& path, std::optional<mode_t> mode = {});
  /// In a folder that the caller holds open, so that no link on the way is followed. `path` is what
  /// messages say; its last part is the name.
  static Result<AtomicFile> create_in(int folder,
                                      const std::string& path,
                                      std::optional<mode_t> mode = {});

  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();

  /// After failure the object is spent: nothing can be committed any more.
  Result<void> write(std::string_view bytes);
  /// All of an open file from its beginning, shared or copied by the kernel where that is possible.
  /// Only as the first thing that is written. How many bytes; after failure the object is spent.
  Result<std::uint64_t> copy_from(int source);
  /// Another name than the one it was created for, in the same folder; only before commit().
  void set_name(std::string name) { name_ = std::move(name); }
  /// Only tells the disk to begin, where the system can: a sync() that comes later waits less.
  void begin_sync();
  /// Makes the bytes durable under the temporary's name; commit() then only renames and syncs the
  /// folder. After failure the object is spent.
  Result<void> sync();
  /// After success the file is durable under its name, unless that is left to the caller. After
  /// failure the object is spent.
  Result<void> commit(IfExists policy, FolderSync folder_sync = FolderSync::now);

  /// Instead of commit(), for whoever must see what the new file takes the place of: the two change
  /// places in one step, and what had the name is now the temporary; once more changes them back.
  /// False: this file system cannot, and nothing has happened. After failure, too, each of the two
  /// has one of the names.
  Result<bool> exchange();
  /// The name of the temporary in its folder.
  [[nodiscard]] const std::string& temporary_name() const { return temporary_name_; }
  /// Removes the temporary, and makes what has the name durable there.
  Result<void> finish_exchange();
  /// Gives the temporary a name of its own in the same folder, which nobody else may have. After
  /// failure it stays under the temporary's name: it is nobody's to throw away.
  Result<void> keep_temporary_as(const std::string& name);

 private:
  AtomicFile() = default;
  Result<void> make_temporary(std::optional<mode_t> mode);
  void discard();
  Result<void> sync_folder();

  std::string path_;
  std::string name_;
  std::string temporary_name_;
  int folder_fd_ = -1;
  int file_fd_ = -1;
  bool synced_ = false;  // since the last write
};

/// create + write + commit.
Result<void> write_file_atomically(const std::string& path,
                                   std::string_view bytes,
                                   IfExists policy,
                                   std::optional<mode_t> mode = {});

/// True for the names that AtomicFile gives its temporaries, so that leftovers of a crash can be
/// recognised. They begin with a dot, which every scan ignores.
bool is_temporary_name(std::string_view name);

/// Whether the writer of that temporary is gone: nobody holds its lock. On a file system without
/// locks that cannot be known, and it counts as gone after an hour. `now_ms`: the wall clock.
bool is_abandoned_temporary(int folder, const std::string& name, std::int64_t now_ms);

/// Removes it if it is abandoned, without ever taking a file from under a writer. False: it was
/// not, or it is no temporary of ours.
Result<bool> remove_abandoned_temporary(int folder, const std::string& name, std::int64_t now_ms);

}  // namespace daybook::base
