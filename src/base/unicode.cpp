// SPDX-License-Identifier: MIT
#include "daybook/base/unicode.hpp"

#include "daybook/base/utf8.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace daybook::base {
namespace {

bool is_ascii(std::string_view text) {
  // All of it, whatever is found: without a way out the compiler makes vector code of it.
  unsigned char all = 0;
  for (const char c : text) {
    all |= static_cast<unsigned char>(c);
  }
  return all < 0x80;
}

std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* out = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()),
                                             &out,
                                             static_cast<utf8proc_option_t>(options));
  if (size < 0) {
    return std::string(text);
  }
  std::string result(reinterpret_cast<const char*>(out), static_cast<std::size_t>(size));
  std::free(out);  // NOLINT: utf8proc allocates with malloc
  return result;
}

}  // namespace

std::string to_nfc(std::string_view text) {
  if (is_ascii(text)) {
    return std::string(text);
  }
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string to_nfkc(std::string_view text) {
  if (is_ascii(text)) {
    return std::string(text);
  }
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
}

bool is_invisible(char32_t code_point) {
  // The marks around an annotation are not ignorable by the standard, and show nothing either.
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point))->ignorable != 0 ||
         (code_point >= 0xFFF9 && code_point <= 0xFFFB);
}

bool shows_anything(std::string_view text) {
  constexpr char32_t kBlankBraille = 0x2800;
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, size] = decode_utf8(text, at);
    at += size;
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    if (!control && !is_blank(c) && c != 0x205F && c != kBlankBraille && !is_invisible(c)) {
      return true;
    }
  }
  return false;
}

std::string fold_case(std::string_view text) {
  if (is_ascii(text)) {
    std::string folded(text);
    for (char& c : folded) {
      if (c >= 'A' && c <= 'Z') {
        c = static_cast<char>(c - 'A' + 'a');
      }
    }
    return folded;
  }
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

std::string without_accents(std::string_view text) {
  if (is_ascii(text)) {
    return std::string(text);
  }
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_STRIPMARK);
}

bool is_unspaced_script(char32_t code_point) {
  if (code_point < 0x0E01) {
    return false;  // all that is European: no need to look
  }
  struct Range {
    char32_t first;
    char32_t last;
  };
  static constexpr std::array kRanges{
      Range{0x0E01, 0x0E3A},
      Range{0x0E40, 0x0E4E},  // Thai
      Range{0x0E81, 0x0EDF},  // Lao
      Range{0x1000, 0x1049},
      Range{0x1050, 0x109F},  // Burmese
      Range{0x1780, 0x17D3},  // Khmer
      Range{0x3005, 0x3007},
      Range{0x3041, 0x309F},  // Hiragana
      Range{0x30A1, 0x30FA},
      Range{0x30FC, 0x30FF},  // Katakana
      Range{0x31F0, 0x31FF},
      Range{0xFF66, 0xFF9D},  // Katakana, small and half-width
      Range{0x3400, 0x4DBF},
      Range{0x4E00, 0x9FFF},  // Han
      Range{0xF900, 0xFAFF},
      Range{0x20000, 0x3FFFF},  // Han, rarer
  };
  return std::any_of(kRanges.begin(), kRanges.end(), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

bool is_word_character(char32_t code_point) {
  if (code_point < 0x80) {
    const char32_t lower = code_point | 0x20U;
    return (lower >= 'a' && lower <= 'z') || (code_point >= '0' && code_point <= '9');
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

bool is_blank(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x3000;
}

}  // namespace daybook::base
