// SPDX-License-Identifier: MIT
//
// tools/list and tools/call: which tools there are for this client, and one call from its arguments
// to its answer. A tool that fails answers with a result that says so and what to do next, so that
// a model can mend its call; only what is no call of a known tool is an error of the protocol. One
// thread.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/base/result.hpp"
#include "mcp/json_rpc.hpp"
#include "mcp/memory.hpp"
#include "mcp/outlet.hpp"
#include "mcp/request.hpp"
#include "mcp/revision.hpp"

#include <functional>
#include <optional>

namespace daybook::mcp {

using base::Json;

class PassKeeper;

Json list_tools(const Memory& memory, Revision revision);

/// What is left to be done when the answer is out goes into `afterwards`. Nothing: cancelled.
std::optional<Reply> call_tool(const Memory& memory,
                               const Json& params,
                               Revision revision,
                               Request& request,
                               Outlet& outlet,
                               PassKeeper& passes,
                               std::function<void()>& afterwards);

}  // namespace daybook::mcp
