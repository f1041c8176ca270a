// SPDX-License-Identifier: MIT
//
// What a model writes where an id is asked for -> the id. Models copy what they see, so that each
// form in which an answer names a memory is taken: `[[path|label]]`, `[[path]]`,
// `daybook://sessions/{token}`; all else is taken as it stands. Pure.
#pragma once

#include <string>
#include <string_view>

namespace daybook::mcp {

std::string memory_id(std::string_view written);

}  // namespace daybook::mcp
