// SPDX-License-Identifier: MIT
#include "harness/json_place.hpp"

#include <algorithm>

namespace daybook::harness {

std::string place_text(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(begin),
                    before.end(),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }) +
      1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace daybook::harness
