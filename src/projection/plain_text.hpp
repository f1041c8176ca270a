// SPDX-License-Identifier: MIT
//
// Text from outside -> text that can stand in a row of MEMORY.md and be nothing but text there: no
// row, heading, link, comment, tag, callout, code or formula can be made of it, in CommonMark or in
// Obsidian. Pure; any thread.
//
// Characters that mean something are replaced by others that look like them (`|` by `¦`, `[` by
// `［`), not escaped by backslashes: `\|` would still split a row for whoever splits at bars, and
// Obsidian knows no escape for `%%`. People and models read the look-alikes as what they were; only
// somebody who pastes them into a shell would notice, and the files that the row links have the
// original. A character's fate depends on its neighbours only where most of its uses are harmless
// (`#12`, `50 %`, `a = b`), and never in such a way that cutting the text revives it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace daybook::projection {

/// One line of valid UTF-8 without blanks at its ends. Longer text is cut, the ellipsis counted.
std::string plain_text(std::string_view text, std::size_t most_characters);

/// Text of several lines in which only what cannot be shown is taken out: control characters,
/// characters that hide or turn others, what is not UTF-8. Line ends become LF.
std::string visible_text(std::string_view text);

/// A path that can stand in `[[…|label]]` and be read as nothing else.
bool is_linkable(std::string_view path);

}  // namespace daybook::projection
