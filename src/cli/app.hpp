// SPDX-License-Identifier: MIT
//
// Arguments -> exit code.
#pragma once

namespace daybook::cli {

int run(int argc, const char* const* argv);

}  // namespace daybook::cli
