// SPDX-License-Identifier: MIT
//
// Frontmatter as a text that two readers can be compared by, for tests and the fuzz target.
#pragma once

#include "daybook/parse/frontmatter.hpp"

#include <string>

namespace daybook::support {

inline std::string to_text(const parse::Scalar& scalar) {
  return scalar.is_null ? "null" : "<" + std::string(scalar.text) + ">";
}

/// Keys, lines, values, nulls and lists: everything that a reader decides.
inline std::string to_text(const parse::Frontmatter& fields) {
  std::string text;
  for (const auto& field : fields.fields()) {
    text += std::to_string(field.line) + " " + std::string(field.key) + " = ";
    if (!field.is_list) {
      text += to_text(field.scalar) + "\n";
      continue;
    }
    text += "[";
    for (const parse::Scalar& item : fields.items(field)) {
      text += to_text(item) + " ";
    }
    text += "]\n";
  }
  return text;
}

}  // namespace daybook::support
