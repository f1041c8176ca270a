// SPDX-License-Identifier: MIT
//
// Markdown -> may cmark-gfm have it? Debian's release takes quadratic time and memory on some
// shapes, and most of them fit into a small file. This is the guard before it: one pass that adds
// up a bound of the work from what was measured of each shape, and refuses what could become dear.
// It may refuse what would have been harmless; the line scanner takes that. Pure; linear; cannot
// fail.
#pragma once

#include <cstddef>
#include <string_view>

namespace daybook::parse {

/// What stands before the text of a line: blanks, `>`, and list markers.
struct LinePrefix {
  std::size_t length = 0;
  std::size_t markers = 0;
  std::size_t columns = 0;  ///< of blanks; a tab counts four
};

LinePrefix read_line_prefix(std::string_view line);

/// False if parsing could take longer than about 60 ms or more than about 32 MB. Emphasis and
/// entities are not looked at: CopyForCmark in wikilinks.cpp has removed them.
bool is_cheap_markdown(std::string_view markdown);

}  // namespace daybook::parse
