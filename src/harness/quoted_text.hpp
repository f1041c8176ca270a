// SPDX-License-Identifier: MIT
//
// Text from outside -> pieces of markdown that it cannot leave: block quotes, code spans, names.
// Every result is valid UTF-8 if the text is. Pure; linear; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::harness {

/// Appends the text as a block quote of whole lines, without blank lines around it; nothing if
/// there is nothing but blanks. CR, CRLF, VT, FF, NEL and the Unicode separators begin a new line
/// as LF does, other control characters but the tab and terminal colours go. An open fence is
/// closed.
void append_quote(std::string_view text, std::string& out);

/// On one line, blanks and control characters as single blanks, cut after `most` characters with an
/// ellipsis.
std::string one_line(std::string_view text, std::size_t most);

/// A code span whose delimiter is longer than any run of backticks in the text, which must be one
/// line. Empty for an empty text.
std::string code_span(std::string_view text);

/// Letters, digits and `_.:-/` of ASCII, all else `_`; at most 64; `tool` if nothing is left.
std::string tool_name(std::string_view text);

/// `812 B`, `1.2 KB`, `34 KB`, `1.5 MB`: steps of 1,000.
std::string size_text(std::uint64_t bytes);

/// Bytes that are no UTF-8 become U+FFFD; how many there were.
std::uint64_t repair_utf8(std::string& text);

/// At most that many bytes, cut between characters.
std::string_view cut_bytes(std::string_view text, std::size_t most);

/// Without blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

}  // namespace daybook::harness
