// SPDX-License-Identifier: MIT
#include "support/random_text.hpp"

#include <algorithm>
#include <utility>

namespace daybook::support {

rc::Gen<std::string> text_made_of(std::vector<std::string> parts) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(parts))),
      [](const std::vector<std::string>& chosen) {
        std::string text;
        for (const std::string& part : chosen) {
          text += part;
        }
        return text;
      });
}

std::vector<std::string> random_pieces(const std::string& text) {
  auto cuts = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(0, text.size() + 1));
  std::sort(cuts.begin(), cuts.end());
  cuts.push_back(text.size());
  std::vector<std::string> pieces;
  std::size_t start = 0;
  for (const std::size_t cut : cuts) {
    pieces.push_back(text.substr(start, cut - start));
    start = cut;
  }
  return pieces;
}

}  // namespace daybook::support
