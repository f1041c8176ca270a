// SPDX-License-Identifier: MIT
//
// A text and what was looked for -> one line around the best place, with the ranges to highlight.
// Words are compared as the full text compares them. One pass over the text. Control characters
// stay but for line ends, which become blanks: whoever prints makes them harmless. Pure but for
// memory; any thread, each with a splitter of its own.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/search_query.hpp"
#include "daybook/store/fts5.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

struct Snippet {
  struct Range {
    std::size_t begin = 0;  ///< bytes of `text`
    std::size_t end = 0;
    bool operator==(const Range&) const = default;
  };
  std::string text;           ///< cut between words where possible, never within a character
  std::vector<Range> ranges;  ///< in order, apart from each other
  bool cut_before = false;    ///< the text has more before this
  bool cut_after = false;
};

/// The place of about `width` bytes in which most of the terms stand, the earliest of equals; the
/// beginning of the text when none is found. The splitter is handed in because making one costs as
/// much as a few thousand words.
Result<Snippet> make_snippet(store::WordSplitter& splitter,
                             std::string_view text,
                             const std::vector<SearchTerm>& terms,
                             std::size_t width);

}  // namespace daybook::index
