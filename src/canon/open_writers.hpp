// SPDX-License-Identifier: MIT
//
// Reading a file that an editor may be in the middle of saving. The kernel is asked for a lease,
// which it grants only while nobody has the file open for writing; as long as we hold it, whoever
// would open the file for writing waits. So what is read is what somebody has saved, and never the
// half of it. Any thread; the lease is given back at once.
#pragma once

#include "daybook/base/result.hpp"

#include <string>

namespace daybook::canon {

/// Waits until nobody has it open for writing. `file` must be open for reading only; `path` is what
/// messages say. ErrorKind::busy: an editor has had it open for too long. On a file system without
/// leases, or for somebody else's file, that cannot be known, and nobody is waited for.
Result<void> await_settled(int file, const std::string& path);

/// All of an open file while nobody writes it, as above.
Result<std::string> read_settled(int file, const std::string& path);

}  // namespace daybook::canon
