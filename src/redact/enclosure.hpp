// SPDX-License-Identifier: MIT
//
// A key -> the string or line that it stands in, and where that ends. A value that is known to be a
// secret reaches so far, whatever characters it has. Pure.
#pragma once

#include "redact/cursor.hpp"

#include <cstdint>

namespace daybook::redact {

struct Enclosure {
  enum class Kind : std::uint8_t {
    unknown,
    line,    ///< no string: the line's end ends it
    string,  ///< `quote`, with at most `escapes` backslashes before it, or an escaped newline
  };
  Kind kind = Kind::unknown;
  char quote = '"';
  std::size_t escapes = 0;
  bool at_start = false;  ///< the key is the first thing in it, but for marks of lists and the like
};

/// Of a key that begins here.
Enclosure enclosure_of(const Cursor& cursor, const char* key_begin);

enum class Blanks : std::uint8_t { inside, end_it };

/// Where it ends behind `at`, which is at most `most` bytes off. For an unknown one the next quote
/// or escape ends it.
const char* end_of(const Enclosure& enclosure,
                   const char* at,
                   const char* end,
                   std::size_t most,
                   Blanks blanks = Blanks::inside);

/// The closing quote with as many backslashes before it as the opening one has; nullptr: none in
/// the next `most` bytes of the line.
const char* closing_quote(
    const char* at, const char* end, char quote, std::size_t escapes, std::size_t most);

}  // namespace daybook::redact
