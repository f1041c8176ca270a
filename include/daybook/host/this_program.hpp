// SPDX-License-Identifier: MIT
//
// Where this program lies, so that it can be started again. Asks the system, not argv[0]. Any
// thread.
#pragma once

#include "daybook/base/result.hpp"

#include <string>

namespace daybook::host {

/// Its full path, for a file that names it. An error when it was replaced or deleted since it
/// started.
Result<std::string> this_program();

/// What starts the very same program, even when its file was replaced meanwhile.
Result<std::string> this_program_now();

}  // namespace daybook::host
