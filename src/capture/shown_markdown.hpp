// SPDX-License-Identifier: MIT
//
// What of markdown from outside is shown as text, and what is hidden in it. Linear time. Pure.
#pragma once

#include <string>
#include <string_view>

namespace daybook::capture {

/// Markdown without fenced blocks and spans of code, in doubt with them.
std::string without_code(std::string_view text);

/// `[x]: address`, also `[//]: # (a comment)`, at the beginning of a line: nobody sees it.
bool has_link_definition(std::string_view text);

}  // namespace daybook::capture
