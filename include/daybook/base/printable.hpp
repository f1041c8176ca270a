// SPDX-License-Identifier: MIT
//
// Text from outside -> text that a terminal cannot misread. Notes and file names may carry escape
// sequences, C1 controls, bidirectional overrides or broken UTF-8; shown raw they could retitle a
// window, forge output or hide a line. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace daybook::base {

/// Each control character, bidirectional control and invalid byte becomes a visible escape
/// (`\n`, `\x1b`, `\u202e`). The result is valid UTF-8 on one line.
std::string printable(std::string_view text);

/// The same, but tabs and line ends stay; a CR before a line end goes.
std::string printable_lines(std::string_view text);

/// printable_lines() that cannot be taken for lines of the answer around them: all but the first
/// are indented by two blanks, and so is a first one that begins like a head, a link or a
/// separator.
std::string set_off(std::string_view text);

/// 'text' for a message: in quotes, and cut between characters where it is long. Not yet printable:
/// that is for whoever shows it.
std::string quoted(std::string_view text, std::size_t most_bytes = 200);

}  // namespace daybook::base
