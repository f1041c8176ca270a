// SPDX-License-Identifier: MIT
//
// Waiting for the disk, by path: what is told as done must be there after a power cut, and what is
// told as gone must not come back. Any thread. A failure leaves it open whether it is durable.
#pragma once

#include "daybook/base/result.hpp"

#include <string>

namespace daybook::base {

/// The bytes of a file, or the names in a folder. `doing` is for the error, such as "syncing the
/// index".
Result<void> sync_path(const std::string& path, const std::string& doing);

/// The file is gone, and stays gone. One that was not there is no error.
Result<void> erase_file(const std::string& path, const std::string& doing);

}  // namespace daybook::base
