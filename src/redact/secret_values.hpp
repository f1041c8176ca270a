// SPDX-License-Identifier: MIT
//
// Where a value begins and ends, and whether it is one. Pure.
#pragma once

#include "redact/sensitive_keys.hpp"

namespace daybook::redact {

/// A value without quotes is looked at only so far. If it turns out to be a secret, all of it goes.
inline constexpr std::size_t kMostUnquoted = 256;

/// A value behind a separator: `before` bytes of blanks and opening quote, then `size` bytes.
struct Value {
  std::size_t before = 0;
  std::size_t size = 0;
  std::size_t escapes = 0;  ///< backslashes before the quote
  char quote = 0;
  bool quoted = false;
  bool open = false;  ///< it may go on behind what was read
  bool after_blank = false;
};

/// Reads a value from `at` on; up to the closing quote, or to the first delimiter.
Value read_value(const char* at, const char* end);

/// The end of a value that begins here, of which only the beginning may have been read.
const char* whole_value_end(const char* begin, const Value& value, const char* end);

/// The rest of the line, without quotes and escapes that end it.
std::size_t rest_of_line(const char* at, const char* end);

/// How the key stands, which decides what counts as a value.
enum class Manner : std::uint8_t {
  assignment,   ///< key = value
  environment,  ///< KEY=value
  label,        ///< key: value, or in the middle of a sentence
  heading,      ///< key: value, and the line begins with the key
};

bool is_secret_value(std::string_view value, const Value& shape, KeyKind kind, Manner manner);

/// Stands for a secret, but is none: `$TOKEN`, `<token>`, `***`, `string`.
bool is_placeholder(std::string_view value, bool quoted);

}  // namespace daybook::redact
