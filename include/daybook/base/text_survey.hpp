// SPDX-License-Identifier: MIT
//
// One vector pass over a text that answers four questions at once, so that clean texts need no
// second look: is it all ASCII, has it carriage returns, blanks at line ends, a `[[`? And where its
// next line end is. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace daybook::base {

struct TextTraits {
  bool ascii = true;
  bool has_carriage_return = false;
  bool has_blank_at_line_end = false;  ///< a space or tab directly before a line feed
  bool has_double_bracket = false;     ///< `[[`
};

TextTraits survey_text(std::string_view text);

/// The first carriage return or line feed; npos: none.
std::size_t find_line_end(std::string_view text);

}  // namespace daybook::base
