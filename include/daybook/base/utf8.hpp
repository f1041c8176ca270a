// SPDX-License-Identifier: MIT
//
// Is this UTF-8? RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. Whole texts in
// one call, or streams piece by piece. Pure; one Utf8Validator belongs to one thread.
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

/// One decoded character. `size` is 1 and `code_point` U+FFFD for an invalid byte.
struct DecodedCharacter {
  char32_t code_point = 0;
  std::size_t size = 0;
};

/// The character at `offset`, which must be inside the text.
DecodedCharacter decode_utf8(std::string_view text, std::size_t offset);

}  // namespace daybook::base
