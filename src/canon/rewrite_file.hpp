// SPDX-License-Identifier: MIT
//
// Compare-and-swap of one canonical file: under the session's lock, bytes -> new bytes, written by
// atomic replace only if the file still has the very bytes that were read. People and synchronisers
// do not know the lock, so what was replaced is looked at, too (canon/swap_file); if it changed,
// all begins anew with what is there now. Links are followed nowhere below the workspace. Failure
// leaves the file as it was.
#pragma once

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/file_place.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::canon {

enum class FileWrite : std::uint8_t { unchanged, written };

struct Rewritten {
  FileWrite write = FileWrite::unchanged;
  base::Digest sha256{};  ///< of the file's bytes as they are now
};

/// Nothing: the file is right as it is.
using FileEdit = std::function<Result<std::optional<std::string>>(std::string_view bytes)>;

/// The lock is that of the token in the file's name. After a few changes by others in a row:
/// ErrorKind::busy.
Result<Rewritten> rewrite_file(base::Disk& disk, const FilePlace& place, const FileEdit& edit);

/// The same for whoever holds the lock already.
Result<Rewritten> rewrite_locked(base::Disk& disk, const FilePlace& place, const FileEdit& edit);

/// Of a file that must not exist yet; its folder must. It stands there without its name, and the
/// disk has been told to begin with it.
Result<base::AtomicFile> begin_file(const std::string& workspace,
                                    const std::string& path,
                                    std::string_view bytes);

/// Gives it its name, durably unless the folder is left to the caller. The same bytes there mean
/// done, others ErrorKind::already_exists.
Result<Rewritten> finish_file(base::Disk& disk,
                              const std::string& workspace,
                              const std::string& path,
                              std::string_view bytes,
                              base::AtomicFile file,
                              base::FolderSync folder_sync = base::FolderSync::now);

/// Both.
Result<Rewritten> create_file(base::Disk& disk,
                              const std::string& workspace,
                              const std::string& path,
                              std::string_view bytes);

/// The whole file, or an error; nothing above 64 MiB is read.
Result<std::string> read_whole(base::Disk& disk,
                               const std::string& workspace,
                               const std::string& path);

}  // namespace daybook::canon
