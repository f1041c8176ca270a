// SPDX-License-Identifier: MIT
//
// A file's text + new values for some fields of its frontmatter -> the text with those lines
// replaced and every other byte as it was: unknown fields, comments, order, body, line ends, BOM.
// The lines are edited, not written anew from what was parsed, because a person's manifest is not
// ours to reformat. Afterwards the result is parsed and compared field by field; what cannot be
// edited safely is refused. Pure; any thread; failure changes nothing.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace daybook::canon {

/// null, text, number or list.
using FieldValue =
    std::variant<std::monostate, std::string, std::uint64_t, std::vector<std::string>>;

struct FieldChange {
  std::string key;
  FieldValue value;
};

/// A field that has the value already keeps its bytes; one that is missing is added as the last.
/// Each key may be named once.
Result<std::string> edit_frontmatter(std::string_view file, std::span<const FieldChange> changes);

/// A whole text as a double-quoted YAML scalar, in the form that the fast reader knows.
std::string yaml_quoted(std::string_view text);

/// `key: value` with its line end, in the form in which new fields are written.
std::string yaml_field(std::string_view key, const FieldValue& value, std::string_view line_end);

}  // namespace daybook::canon
