// SPDX-License-Identifier: MIT
//
// The two prompts: what to do before work begins, and at the end of a session. Pure.
#pragma once

#include "daybook/base/json.hpp"
#include "mcp/revision.hpp"

namespace daybook::mcp {

using base::Json;

Json list_prompts(Revision revision);
/// `may_write`: whether there are tools that remember.
Reply get_prompt(const Json& params, bool may_write);

}  // namespace daybook::mcp
