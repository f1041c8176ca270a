// SPDX-License-Identifier: MIT
//
// New bytes in the place of expected ones, by programs that take the session's lock, beside others
// that take none. The new file and the one that has the name change places in one step
// (RENAME_EXCHANGE); then what came out is looked at, once nobody has it open for writing. If it is
// what was expected it goes, else an editor or a synchroniser has saved in between: its file gets
// the name back, and nothing was written. Somebody who saves over ours in that very moment finds
// his version beside the file as a conflict copy. A crash between the two steps leaves the new
// file, and the old one as a temporary. Where the file system cannot exchange, a save between the
// last look and the rename is lost; everywhere, one by a program whose open() had begun before the
// exchange and ended after keep_late_save(). Any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/canon/file_place.hpp"

#include <string>
#include <string_view>

namespace daybook::canon {

/// True: written, and durable. False: something else is there by now. ErrorKind::busy: another
/// program keeps it open for writing.
Result<bool> swap_file(base::Disk& disk,
                       const FilePlace& place,
                       std::string_view expected,
                       std::string_view bytes);

/// The last of it: whoever was opening the old file in the very moment in which it lost its name
/// has saved into a file that nobody can find any more. `removed` is that file, still open; what it
/// says instead of `expected` becomes a conflict copy beside `path`.
Result<void> keep_late_save(int folder,
                            int removed,
                            std::string_view expected,
                            const std::string& path);

}  // namespace daybook::canon
