// SPDX-License-Identifier: MIT
//
// completion/complete: what a client may offer while a person types an argument of a prompt or of
// an address. Only tokens of the agent's own sessions are ever offered. One thread.
#pragma once

#include "daybook/base/json.hpp"
#include "mcp/memory.hpp"
#include "mcp/revision.hpp"

namespace daybook::mcp {

using base::Json;

/// -32602 for what has no such argument.
Reply complete_argument(const Memory& memory, const Json& params);

}  // namespace daybook::mcp
