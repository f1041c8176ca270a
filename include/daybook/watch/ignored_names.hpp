// SPDX-License-Identifier: MIT
//
// Names that are nobody's note: hidden ones, and what editors and synchronisers write on the way to
// the real file. Pure.
#pragma once

#include <string_view>

namespace daybook::watch {

bool is_ignored(std::string_view file_name);

}  // namespace daybook::watch
