// SPDX-License-Identifier: MIT
//
// Text -> its words as they are compared: letters and digits of any script, without case
// and accents, as the full text folds them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daybook::recall {

/// With one blank between two.
std::string plain_words(std::string_view text);

/// Whether the one holds the other, whole words one after the other; both as plain_words() gives.
bool holds_words(std::string_view text, std::string_view words);

/// Those of plain_words(), of which they are views.
std::vector<std::string_view> split_words(std::string_view words);

}  // namespace daybook::recall
