// SPDX-License-Identifier: MIT
//
// Where words begin, what looks random, and how a token that was cut in two goes on: behind an
// escaped newline, behind the joint of two string literals, on the next line. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// May a token begin here? Not within a word; but behind an escape (`\n`, `%20`) or the tail of a
/// terminal colour it may.
bool token_may_begin(const Cursor& cursor);
/// The same for the end of any text.
bool token_may_follow(std::string_view left);

/// Letters and digits change places as in no word. Needs eight characters.
bool looks_random(std::string_view run);

/// Behind the end of a token: the end of all its pieces on this line.
const char* end_of_pieces(const char* token_end, const char* end);

/// Only what may join two string literals stands between here and the end of the line.
bool wraps_here(const char* token_end, const char* end);

/// What may stand before the second half of a token on its line: indentation, quotes, comment
/// marks.
std::size_t wrapped_prefix(std::string_view line);

}  // namespace daybook::redact
