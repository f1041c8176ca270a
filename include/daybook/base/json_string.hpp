// SPDX-License-Identifier: MIT
//
// Text -> a JSON string of ASCII letters only, so that no control character of a note reaches a
// terminal or a reader of lines through it; bytes that are not UTF-8 become U+FFFD. Pure.
#pragma once

#include <string>
#include <string_view>

namespace daybook::base {

/// With its quotes, behind what `out` holds.
void append_json_string(std::string& out, std::string_view text);

}  // namespace daybook::base
