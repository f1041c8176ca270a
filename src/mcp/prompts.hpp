// SPDX-License-Identifier: MIT
//
// The two prompts: what to do before work begins, and at the end of a session. Pure.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/mcp/server.hpp"
#include "mcp/revision.hpp"

#include <string>

namespace daybook::mcp {

using base::Json;

Json list_prompts(Revision revision);
/// Whether there are tools that remember decides what the end of a session is told.
Reply get_prompt(const Json& params, Writing writing);
/// -32602, with those that there are, for a prompt or an argument that there is none of.
Reply complete_prompt(const std::string& prompt, const std::string& argument);

}  // namespace daybook::mcp
