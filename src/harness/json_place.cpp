// SPDX-License-Identifier: MIT
#include "harness/json_place.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::harness {

std::string place_text(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t column = base::count_characters(before.substr(begin)) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace daybook::harness
