// SPDX-License-Identifier: MIT
//
// `daybook://memory`, `daybook://sessions/{token}`, `…/transcript` and `…/manifest`: what of this
// agent's memory can be read by its address. Listed newest first, a page at a time; a cursor of
// another form, and an address that leads to nothing of this agent's, is an error. One thread.
#pragma once

#include "daybook/base/json.hpp"
#include "mcp/memory.hpp"
#include "mcp/revision.hpp"

#include <array>
#include <string>
#include <string_view>

namespace daybook::mcp {

using base::Json;

inline constexpr const char* kMemoryUri = "daybook://memory";
inline constexpr std::array<std::string_view, 3> kResourceTemplates{
    "daybook://sessions/{token}",
    "daybook://sessions/{token}/transcript",
    "daybook://sessions/{token}/manifest"};

Reply list_resources(const Memory& memory, const Json& params, Revision revision);
Reply list_resource_templates(const Json& params);
Reply read_resource(const Memory& memory, const Json& params);

/// The full path of this agent's MEMORY.md.
std::string memory_md_path(const Memory& memory);

}  // namespace daybook::mcp
