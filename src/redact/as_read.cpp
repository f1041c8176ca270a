// SPDX-License-Identifier: MIT
#include "redact/as_read.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"
#include "redact/characters.hpp"

#include <algorithm>

namespace daybook::redact {
namespace {

/// Quotes and colons of other alphabets announce a value like those of ASCII; nothing: it stands
/// for itself.
std::string_view plain_sign(char32_t c) {
  switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x201A:
      return "'";
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB:
      return "\"";
    case 0x2236:
    case 0xA789:
      return ":";
    default:
      return {};
  }
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

/// Blanks become one, and lines are trimmed.
std::string with_even_blanks(std::string_view text, Lines lines) {
  std::string even;
  even.reserve(text.size());
  bool pending = false;
  for (const char c : text) {
    const bool line_end = c == '\n' && lines == Lines::kept;
    if (c == ' ' || (c == '\n' && !line_end)) {
      pending = !even.empty() && even.back() != '\n';
      continue;
    }
    if (pending && !line_end) {
      even.push_back(' ');
    }
    pending = false;
    even.push_back(c);
  }
  return even;
}

}  // namespace

bool reads_otherwise(std::string_view text, Lines lines) {
  char before = ' ';
  for (const char c : text) {
    const bool line_end = c == '\n' && lines == Lines::kept;
    const bool plain = line_end || (c >= ' ' && c < 0x7F && (c != ' ' || before != ' '));
    if (!plain) {
      return true;
    }
    before = c;
  }
  return false;
}

std::string as_read(std::string_view text, Lines lines) {
  if (!reads_otherwise(text, lines)) {
    return std::string(text);
  }
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, size] = base::decode_utf8(text, at);
    if (c == '\n') {
      shown.push_back('\n');
    } else if (is_control(c) || base::is_blank(c)) {
      shown.push_back(' ');
    } else if (const std::string_view sign = plain_sign(c); !sign.empty()) {
      shown.append(sign);
    } else if (!base::is_invisible(c)) {
      shown.append(text.substr(at, size));
    }
    at += size;
  }
  return with_even_blanks(base::to_nfkc(shown), lines);
}

}  // namespace daybook::redact
