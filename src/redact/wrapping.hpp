// SPDX-License-Identifier: MIT
//
// Where words begin, what looks random, and how a token that was cut in two goes on: behind an
// escaped newline, behind the joint of two string literals, on the next line. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// May a token begin here? Not within a word of ASCII; but behind any other character (`→`, `密`),
/// an escape (`\n`, `%20`) or the tail of a terminal colour it may.
bool token_may_begin(const Cursor& cursor);
/// The same for the end of any text.
bool token_may_follow(std::string_view left);

/// Letters and digits change places as in no word. Needs eight characters.
bool looks_random(std::string_view run);

/// Behind the end of a token: the end of the next piece of it, as far as one has to look to tell
/// that it is one; `token_end` itself: there is none.
const char* end_of_piece(const char* token_end, const char* end);
/// The end of all its pieces on this line. What is walked over must be consumed, or a line of
/// pieces is walked again from each of them.
const char* end_of_pieces(const char* token_end, const char* end);

/// Only what may join two string literals stands between here and the end of the line.
bool wraps_here(const char* token_end, const char* end);

/// Indentation, quotes and comment marks at the beginning of a line.
std::size_t line_marks(std::string_view line);

/// Behind the number that a tool put before a line, with its mark: `2→`, `2:`, `2|`, `2` and a tab,
/// which a string may escape. `p` itself: there is none.
const char* skip_line_number(const char* p, const char* end);

/// What may stand before the second half of a token on its line: marks and a number.
std::size_t wrapped_prefix(std::string_view line);

}  // namespace daybook::redact
