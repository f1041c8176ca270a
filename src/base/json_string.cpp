// SPDX-License-Identifier: MIT
#include "daybook/base/json_string.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::base {
namespace {

bool is_plain(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x20 && byte < 0x7F && letter != '"' && letter != '\\';
}

void append_escape(std::string& out, std::uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out.append({'\\',
              'u',
              kHex[unit >> 12U & 15U],
              kHex[unit >> 8U & 15U],
              kHex[unit >> 4U & 15U],
              kHex[unit & 15U]});
}

void append_escaped(std::string& out, char32_t character) {
  constexpr std::string_view kNamed = "\b\t\n\f\r\"\\";
  constexpr std::string_view kNames = "btnfr\"\\";
  const std::size_t named =
      character < 0x80 ? kNamed.find(static_cast<char>(character)) : std::string_view::npos;
  if (named != std::string_view::npos) {
    out.append({'\\', kNames[named]});
  } else if (character < 0x10000) {
    append_escape(out, character);
  } else {  // a surrogate pair
    append_escape(out, 0xD7C0U + (character >> 10U));
    append_escape(out, 0xDC00U + (character & 0x3FFU));
  }
}

/// How many bytes begin a character that is broken: one U+FFFD stands for all of them.
std::size_t broken_bytes(std::string_view text) {
  Utf8Validator validator;
  std::size_t count = 0;
  while (count < text.size() && validator.feed(text.substr(count, 1))) {
    ++count;
  }
  return std::max<std::size_t>(count, 1);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const auto* const special = std::find_if_not(text.begin(), text.end(), is_plain);
    out.append(text.begin(), special);
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
    if (text.empty()) {
      break;
    }
    const auto [character, size] = decode_utf8(text, 0);
    append_escaped(out, character);
    const bool is_broken = character == U'\uFFFD' && size == 1;
    text.remove_prefix(is_broken ? broken_bytes(text) : size);
  }
  out.push_back('"');
}

}  // namespace daybook::base
