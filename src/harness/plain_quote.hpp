// SPDX-License-Identifier: MIT
//
// Text from outside -> a block quote in which it is nothing but lines of words: no heading, fence,
// link, wikilink, tag, comment or HTML in CommonMark or in Obsidian. Characters that could make one
// are replaced by others that look like them, as in MEMORY.md: nobody has to know an escape to read
// them. Pure; linear; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace daybook::harness {

/// Lines of `> …`, at most that many characters of text and an ellipsis if it was cut. Empty if
/// there is nothing but blanks.
std::string plain_quote(std::string_view text, std::size_t most_characters);

/// The same on one line, without the mark of a quote.
std::string plain_line(std::string_view text, std::size_t most_characters);

}  // namespace daybook::harness
