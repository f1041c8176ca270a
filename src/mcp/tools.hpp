// SPDX-License-Identifier: MIT
//
// tools/list and tools/call: which tools there are for this client, and one call from its arguments
// to its answer. A tool that fails answers with a result that says so and what to do next, so that
// a model can mend its call; only what is no call of a known tool is an error of the protocol. Here
// is the one place where text of notes leaves a tool: whatever controls a terminal, or hides or
// turns what stands beside it, becomes a visible escape, in the text and in every string of the
// data. One thread.
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

/// What calls are carried out with; all must outlive them.
struct Workshop {
  const Memory& memory;
  Revision revision;
  Outlet& outlet;
  PassKeeper& passes;
};

struct Called {
  std::optional<Reply> reply;             ///< nothing: it was cancelled
  std::function<void()> afterwards = {};  ///< what is left to be done when the answer is out
};

Called call_tool(const Workshop& workshop, const Json& params, Request& request);

}  // namespace daybook::mcp
