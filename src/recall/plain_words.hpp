// SPDX-License-Identifier: MIT
//
// Text -> its words as they are compared: letters and digits of any script, without case. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daybook::recall {

/// With one blank between two.
std::string plain_words(std::string_view text);

/// Those of plain_words(), of which they are views.
std::vector<std::string_view> split_words(std::string_view words);

}  // namespace daybook::recall
