// SPDX-License-Identifier: MIT
//
// Random texts for properties: rich in the few spellings that matter, and cut into random pieces.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

namespace daybook::support {

/// A random sequence of the given parts, joined.
rc::Gen<std::string> text_made_of(std::vector<std::string> parts);

/// The text in pieces, some of them empty; joined they are the text again. Only inside a property.
std::vector<std::string> random_pieces(const std::string& text);

/// Calls `visit` with every text of up to `longest` letters of the alphabet.
template <typename Visit>
void every_text(std::string_view alphabet, std::size_t longest, Visit visit) {
  std::vector<std::string> level{std::string()};
  visit(level.front());
  for (std::size_t length = 1; length <= longest; ++length) {
    std::vector<std::string> next;
    next.reserve(level.size() * alphabet.size());
    for (const std::string& text : level) {
      for (const char letter : alphabet) {
        next.push_back(text + letter);
        visit(next.back());
      }
    }
    level = std::move(next);
  }
}

}  // namespace daybook::support
