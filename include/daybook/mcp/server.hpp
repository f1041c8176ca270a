// SPDX-License-Identifier: MIT
//
// A vault -> a server of the Model Context Protocol on two descriptors: one JSON-RPC message a
// line, nothing else is ever written to the output. One thread reads, so that a cancellation is
// heard while another thread answers. Ends when the input does, when nobody reads the output, when
// the parent is gone, and by SIGTERM or SIGINT; a call that is under way is then told to stop.
// Everything that it writes goes through the same locks as the commands', so several may run over
// one vault. Read-only: nothing is written at all.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <cstdint>
#include <string>

namespace daybook::mcp {

enum class Writing : std::uint8_t { allowed, refused };

struct ServerPlace {
  std::string workspace;   ///< real path
  std::string state_path;  ///< need not be there yet
  std::string agent;       ///< all that is ever seen is this agent's
  Writing writing = Writing::allowed;
};

struct Pipes {
  int in = 0;
  int out = 1;
};

/// Returns when it has ended. `disk` and `clock` must outlive it.
Result<void> serve(base::Disk& disk,
                   const base::Clock& clock,
                   const ServerPlace& place,
                   Pipes pipes);

}  // namespace daybook::mcp
