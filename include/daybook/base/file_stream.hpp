// SPDX-License-Identifier: MIT
//
// Root folder + path below it -> the file's bytes, piece by piece, so that size costs no memory; or
// its hash, or all of it. Reached part by part without following a link. A file that is missing, no
// regular file or not readable is an Error of that kind with the path. Keeps nothing; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace daybook::base {

/// Calls `take` for each piece in order; its failure ends the reading.
Result<void> stream_file(Disk& disk,
                         const std::string& root,
                         const std::string& path,
                         const std::function<Result<void>(std::string_view)>& take);

Result<Digest> hash_file(Disk& disk, const std::string& root, const std::string& path);

/// ErrorKind::damaged above `limit` bytes.
Result<std::string> read_file(Disk& disk,
                              const std::string& root,
                              const std::string& path,
                              std::uint64_t limit);

/// At most so many bytes of it, from its beginning.
Result<std::string> read_beginning(Disk& disk,
                                   const std::string& root,
                                   const std::string& path,
                                   std::size_t most);

}  // namespace daybook::base
