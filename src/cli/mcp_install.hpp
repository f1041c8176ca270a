// SPDX-License-Identifier: MIT
//
// `daybook mcp install` and `uninstall`: the server in a client's settings, as text in which every
// other byte stays. The file is replaced as a whole or not at all.
#pragma once

#include "cli/command.hpp"

namespace daybook::cli {

void add_mcp_install(const Command& mcp, Run& run);

}  // namespace daybook::cli
