// SPDX-License-Identifier: MIT
//
// Is this UTF-8? RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. Whole texts in
// one call, or streams piece by piece. And where its characters begin, so that no cut goes through
// one. Pure; one Utf8Validator belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace daybook::base {

inline constexpr std::size_t kAllValid = static_cast<std::size_t>(-1);

/// Offset of the first byte that does not belong to valid UTF-8, or kAllValid.
std::size_t first_invalid_utf8(std::string_view text);

inline bool is_valid_utf8(std::string_view text) { return first_invalid_utf8(text) == kAllValid; }

/// Validates a text that arrives in pieces; a character may be split between two of them.
class Utf8Validator {
 public:
  /// False from the first invalid byte on; its offset in the whole stream is then error_offset().
  bool feed(std::string_view piece);
  /// False also when the stream ends within a character.
  bool finish();

  std::uint64_t error_offset() const { return error_offset_; }

 private:
  bool fail(std::uint64_t offset);

  std::uint64_t fed_ = 0;  // bytes of the stream before the current piece
  std::uint64_t error_offset_ = 0;
  char carried_[4] = {};  // the beginning of a character cut by the end of a piece
  std::size_t carried_size_ = 0;
  bool valid_ = true;
};

/// Whether this byte goes on with a character that began before it.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Where the character begins of which `at` is a byte: there a text can be cut. `at` itself at or
/// behind the end, where nothing is cut.
inline std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && continues_character(text[at])) {
    --at;
  }
  return at;
}

/// Of text that is not valid UTF-8, all bytes but those that look as if they went on with one.
inline std::size_t count_characters(std::string_view text) {
  std::size_t characters = 0;
  for (const char c : text) {
    characters += continues_character(c) ? 0U : 1U;
  }
  return characters;
}

/// One decoded character. `size` is 1 and `code_point` U+FFFD for an invalid byte.
struct DecodedCharacter {
  char32_t code_point = 0;
  std::size_t size = 0;
};

/// The character at `offset`, which must be inside the text.
DecodedCharacter decode_utf8(std::string_view text, std::size_t offset);

}  // namespace daybook::base
