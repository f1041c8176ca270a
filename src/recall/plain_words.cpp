// SPDX-License-Identifier: MIT
#include "recall/plain_words.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::recall {

std::string plain_words(std::string_view text) {
  const std::string folded = base::without_accents(base::fold_case(text));
  std::string plain;
  plain.reserve(folded.size());
  for (std::size_t at = 0; at < folded.size();) {
    const auto [code_point, size] = base::decode_utf8(folded, at);
    if (base::is_word_character(code_point)) {
      plain.append(folded, at, size);
    } else if (!plain.empty() && plain.back() != ' ') {
      plain.push_back(' ');
    }
    at += size;
  }
  if (plain.ends_with(' ')) {
    plain.pop_back();
  }
  return plain;
}

bool holds_words(std::string_view text, std::string_view words) {
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) {
      return true;
    }
  }
  return false;
}

std::vector<std::string_view> split_words(std::string_view words) {
  std::vector<std::string_view> split;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    split.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return split;
}

}  // namespace daybook::recall
