// SPDX-License-Identifier: MIT
//
// An offset in a text -> what a person looks for in an editor. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace daybook::harness {

/// "line 3, column 14", both from 1; columns are characters.
std::string place_text(std::string_view text, std::size_t offset);

}  // namespace daybook::harness
