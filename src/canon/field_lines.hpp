// SPDX-License-Identifier: MIT
//
// The lines of a frontmatter that belong to one field, and where its value stands in them. Only
// forms that can be replaced line by line are found: one value or `[list]` on the key's line, or a
// block list of one item a line. Comments belong to the line they stand on; those above a field
// belong to that field. Pure; borrows the text.
#pragma once

#include "daybook/parse/frontmatter.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace daybook::canon {

/// With their line ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// LF, CRLF or nothing.
std::string_view line_end_of(std::string_view line);

/// Where the value stands in its line; what follows is a comment, or nothing.
struct ValuePlace {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct FieldLines {
  std::string_view key_line;
  std::size_t after_colon = 0;
  ValuePlace value;                      ///< empty for a block list, or where there is no value
  std::vector<std::string_view> silent;  ///< comments and blank lines among the items
  std::vector<std::string_view> items;
  std::size_t count = 0;  ///< lines in all
};

/// `lines` are those from the field's to the next one's. Nothing if they have another form.
std::optional<FieldLines> find_lines(std::span<const std::string_view> lines,
                                     const parse::Frontmatter::Field& field);

}  // namespace daybook::canon
