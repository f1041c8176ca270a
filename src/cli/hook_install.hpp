// SPDX-License-Identifier: MIT
//
// `daybook hook install` and `uninstall`: our lines in a harness's settings file, and out again.
#pragma once

#include "cli/command.hpp"

namespace daybook::cli {

void add_hook_install(const Command& hook, Run& run);

}  // namespace daybook::cli
