// SPDX-License-Identifier: MIT
//
// A question before something that cannot be undone.
#pragma once

#include <string>

namespace daybook::cli {

/// Asks on the terminal; false without one, or for any answer but y or yes.
bool confirmed(const std::string& question);

}  // namespace daybook::cli
