// SPDX-License-Identifier: MIT
//
// The tools that there are, each made by the file of its name.
#pragma once

#include "mcp/tool.hpp"

#include <vector>

namespace daybook::mcp {

/// In the order in which they are listed.
Tool recall_tool();
Tool memory_search_tool();
Tool memory_context_tool();
Tool memory_get_tool();
Tool remember_tool();
Tool learn_procedure_tool();
Tool record_episode_tool();
Tool list_memories_tool();
Tool memory_forget_tool();
Tool memory_status_tool();

/// All of them.
const std::vector<Tool>& all_tools();

}  // namespace daybook::mcp
