// SPDX-License-Identifier: MIT
//
// Who holds something, told so that a process number used again is not taken for the old process.
// Pure reading of the system; any thread. What the system does not tell stays empty or 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace daybook::state {

struct ProcessIdentity {
  std::string host;
  std::int64_t pid = 0;
  std::int64_t started = 0;  ///< in the system's ticks since boot; 0: not known
};

ProcessIdentity this_process();

/// False only when it is certain that the process is gone. Asks this machine, so only for a process
/// of this machine and boot.
bool may_be_alive(std::int64_t pid, std::int64_t started);

/// Lower-case base32; 16 letters are 80 bits.
std::string random_letters(std::size_t count);

}  // namespace daybook::state
