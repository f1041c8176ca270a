// SPDX-License-Identifier: MIT
//
// Which ASCII character is what, by one table. Bytes of other scripts are in no class but `kOther`.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace daybook::redact {

using CharClass = std::uint16_t;
inline constexpr CharClass kDigit = 1;
inline constexpr CharClass kLower = 2;
inline constexpr CharClass kUpper = 4;
inline constexpr CharClass kUnderscore = 8;
inline constexpr CharClass kHyphen = 16;
inline constexpr CharClass kBase64Sign = 32;  ///< + / =
inline constexpr CharClass kDot = 64;
inline constexpr CharClass kTilde = 128;
inline constexpr CharClass kPercent = 256;
inline constexpr CharClass kBlank = 512;   ///< space and tab
inline constexpr CharClass kQuote = 1024;  ///< " ' `
inline constexpr CharClass kOther = 2048;  ///< bytes of characters beyond ASCII
inline constexpr CharClass kHexLetter = 4096;

inline constexpr CharClass kLetter = kLower | kUpper;
inline constexpr CharClass kAlnum = kLetter | kDigit;
inline constexpr CharClass kWord = kAlnum | kUnderscore;
inline constexpr CharClass kToken = kWord | kHyphen;
inline constexpr CharClass kTokenDot = kToken | kDot;
inline constexpr CharClass kBase64 = kAlnum | kBase64Sign;
/// Everything that machine-made secrets are made of.
inline constexpr CharClass kSecretRun = kTokenDot | kBase64Sign | kTilde | kPercent;

constexpr CharClass class_in_table(unsigned c) {
  CharClass found = 0;
  if (c >= '0' && c <= '9') {
    found |= kDigit;
  }
  if (c >= 'a' && c <= 'z') {
    found |= kLower;
  }
  if (c >= 'A' && c <= 'Z') {
    found |= kUpper;
  }
  if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
    found |= kHexLetter;
  }
  if (c >= 0x80) {
    found |= kOther;
  }
  switch (c) {
    case '_':
      return kUnderscore;
    case '-':
      return kHyphen;
    case '+':
    case '/':
    case '=':
      return kBase64Sign;
    case '.':
      return kDot;
    case '~':
      return kTilde;
    case '%':
      return kPercent;
    case ' ':
    case '\t':
      return kBlank;
    case '"':
    case '\'':
    case '`':
      return kQuote;
    default:
      return found;
  }
}

inline constexpr std::array<CharClass, 256> kClasses = [] {
  std::array<CharClass, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    table[c] = class_in_table(c);
  }
  return table;
}();

constexpr bool is(char c, CharClass wanted) {
  return (kClasses[static_cast<unsigned char>(c)] & wanted) != 0;
}

constexpr char to_lower(char c) { return is(c, kUpper) ? static_cast<char>(c + 32) : c; }

/// Case is folded; `word` is lower-case.
constexpr bool equals_folded(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (to_lower(text[i]) != word[i]) {
      return false;
    }
  }
  return true;
}

/// At least one character of the class.
constexpr bool has_any(std::string_view text, CharClass wanted) {
  for (const char c : text) {
    if (is(c, wanted)) {
      return true;
    }
  }
  return false;
}

/// No character of another class.
constexpr bool has_only(std::string_view text, CharClass wanted) {
  for (const char c : text) {
    if (!is(c, wanted)) {
      return false;
    }
  }
  return true;
}

}  // namespace daybook::redact
