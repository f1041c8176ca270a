// SPDX-License-Identifier: MIT
//
// Many trials of one operation -> how many held, and what the others said. Two workers, each with
// a bench of its own. A line with the figures goes to stdout.
#pragma once

#include "faults/bench.hpp"

#include <string>
#include <vector>

namespace daybook::faults {

struct SweepReport {
  std::size_t calls = 0;
  std::size_t trials = 0;
  std::vector<std::string> failures;  ///< each with the call that was met
};

/// Killed before and after each chosen call.
SweepReport sweep_kills(const Operation& operation);

/// Killed, and the pass that follows as well.
SweepReport sweep_kills_of_recovery(const Operation& operation);

/// Each chosen call fails with ENOSPC, EIO, EROFS, and each opening with EMFILE; once and for ever.
/// A write does only a part.
SweepReport sweep_errors(const Operation& operation);

}  // namespace daybook::faults
