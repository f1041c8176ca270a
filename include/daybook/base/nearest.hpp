// SPDX-License-Identifier: MIT
//
// A misspelt word -> the known one that was probably meant, for "did you mean". Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daybook::base {

/// Insertions, deletions, substitutions and swaps of neighbours between the two.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Empty when nothing is near enough to be more than a guess.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace daybook::base
