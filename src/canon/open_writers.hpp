// SPDX-License-Identifier: MIT
//
// Whether any program has a file open for writing: an editor in the middle of saving it. Asked of
// the kernel by a lease, which it grants only while there is no writer, and which is given back at
// once. Any thread; nothing is left behind.
#pragma once

#include <chrono>
#include <cstdint>

namespace daybook::canon {

enum class Writers : std::uint8_t {
  none,
  some,
  unknown,  ///< somebody else's file, a file system without leases, or not Linux
};

/// Waits until there is none, for so long. `file` must be open for reading only.
Writers await_writers(int file, std::chrono::milliseconds patience);

}  // namespace daybook::canon
