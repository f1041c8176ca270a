// SPDX-License-Identifier: MIT
//
// Text -> the places that are spelled like a wikilink. Whether such a place is text or code is
// asked elsewhere: by cmark-gfm in wikilinks.cpp, by the line scanner in linear_link_scanner.cpp.
// Both must mean the same by `[[…]]`, so the spelling is defined here, once. Pure; linear; cannot
// fail.
//
// A candidate stands on one line; between its brackets are 1 to 1,024 bytes, no `[` and no
// backtick, and the first of them is no blank, so that bash's `[[ -f x ]]` is none. A single `]`
// does not end it, `\[[` does not begin one.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace daybook::parse {

inline constexpr std::size_t kNone = std::string_view::npos;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_blank_or_line_end(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

inline constexpr std::size_t kMaxLinkBytes = 1024;  ///< between the brackets

struct LinkCandidate {
  std::size_t open = 0;   ///< offset of `[[`
  std::size_t close = 0;  ///< offset behind `]]`
  bool embed = false;     ///< `![[…]]`

  std::string_view inside(std::string_view text) const {
    return text.substr(open + 2, close - open - 4);
  }
};

/// The first candidate that begins at or behind `from`.
std::optional<LinkCandidate> next_candidate(std::string_view text, std::size_t from);

/// True if the byte at `at` stands behind an odd number of backslashes.
bool is_escaped(std::string_view text, std::size_t at);

/// Walks over line ends: LF, CRLF, or CR alone, which cmark-gfm and the body hash count as one too.
/// Remembers the next of each kind, because looking for both anew on every line would be quadratic
/// in a text that has only one of them.
class LineEnds {
 public:
  explicit LineEnds(std::string_view text) : text_(text) {}

  /// The first CR or LF at or behind `from`, else the size of the text. `from` never decreases.
  std::size_t next(std::size_t from);

  /// Where the line behind the line end at `end` begins.
  std::size_t skip(std::size_t end) const;

 private:
  std::string_view text_;
  std::size_t line_feed_ = 0;        // valid while it is at or behind the last `from`
  std::size_t carriage_return_ = 0;  // likewise
  bool searched_ = false;
};

}  // namespace daybook::parse
