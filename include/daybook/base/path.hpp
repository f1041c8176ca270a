// SPDX-License-Identifier: MIT
//
// Paths as text: nothing is looked up. Pure; any thread.
#pragma once

#include <string_view>

namespace daybook::base {

/// What stands behind the last slash; all of it when there is none. Points into the path.
constexpr std::string_view file_name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace daybook::base
