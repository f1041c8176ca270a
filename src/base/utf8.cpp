// SPDX-License-Identifier: MIT
#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace daybook::base {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;

/// Length that a lead byte announces; 0 for a byte that cannot lead.
std::size_t announced_length(unsigned char lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xC2) {  // continuation bytes and the overlong C0, C1
    return 0;
  }
  if (lead < 0xE0) {
    return 2;
  }
  if (lead < 0xF0) {
    return 3;
  }
  return lead < 0xF5 ? 4 : 0;
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// The second byte carries the limits: overlong forms, surrogates, the end of Unicode.
bool second_byte_fits(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return is_continuation(second);
  }
}

enum class Fit { whole, cut_short, invalid };

/// How well the `available` bytes at `at` begin a character of `length` bytes.
Fit fit(const unsigned char* at, std::size_t length, std::size_t available) {
  if (length == 0) {
    return Fit::invalid;
  }
  if (available > 1 && length > 1 && !second_byte_fits(at[0], at[1])) {
    return Fit::invalid;
  }
  for (std::size_t i = 2; i < std::min(length, available); ++i) {
    if (!is_continuation(at[i])) {
      return Fit::invalid;
    }
  }
  return available < length ? Fit::cut_short : Fit::whole;
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// Offset where valid text ends: the size, an invalid byte, or a character that is cut short.
std::size_t valid_prefix(std::string_view text, Fit& reason) {
  const unsigned char* bytes = bytes_of(text);
  std::size_t at = 0;
  reason = Fit::whole;
  while (at < text.size()) {
    if (bytes[at] < 0x80) {
      // Most text is ASCII: eight bytes at a step.
      std::uint64_t word = 0;
      while (at + sizeof word <= text.size()) {
        std::memcpy(&word, bytes + at, sizeof word);
        if ((word & kHighBits) != 0) {
          break;
        }
        at += sizeof word;
      }
      while (at < text.size() && bytes[at] < 0x80) {
        ++at;
      }
      continue;
    }
    const std::size_t length = announced_length(bytes[at]);
    reason = fit(bytes + at, length, text.size() - at);
    if (reason != Fit::whole) {
      return at;
    }
    at += length;
  }
  return at;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  Fit reason = Fit::whole;
  const std::size_t end = valid_prefix(text, reason);
  return reason == Fit::whole ? kAllValid : end;
}

bool Utf8Validator::fail(std::uint64_t offset) {
  error_offset_ = offset;
  valid_ = false;
  return false;
}

bool Utf8Validator::feed(std::string_view piece) {
  if (!valid_) {
    return false;
  }
  const std::uint64_t piece_start = fed_;
  fed_ += piece.size();
  std::size_t taken = 0;
  if (carried_size_ > 0) {
    const std::size_t length = announced_length(static_cast<unsigned char>(carried_[0]));
    const std::uint64_t character_start = piece_start - carried_size_;
    while (carried_size_ < length && taken < piece.size()) {
      carried_[carried_size_++] = piece[taken++];
    }
    const Fit reason =
        fit(bytes_of(std::string_view(carried_, carried_size_)), length, carried_size_);
    if (reason == Fit::invalid) {
      return fail(character_start);
    }
    if (reason == Fit::cut_short) {
      return true;
    }
    carried_size_ = 0;
  }
  Fit reason = Fit::whole;
  const std::string_view rest = piece.substr(taken);
  const std::size_t end = valid_prefix(rest, reason);
  if (reason == Fit::invalid) {
    return fail(piece_start + taken + end);
  }
  if (reason == Fit::cut_short) {
    carried_size_ = rest.size() - end;
    std::copy_n(rest.data() + end, carried_size_, carried_);
  }
  return true;
}

bool Utf8Validator::finish() {
  if (valid_ && carried_size_ > 0) {
    return fail(fed_ - carried_size_);
  }
  return valid_;
}

DecodedCharacter decode_utf8(std::string_view text, std::size_t offset) {
  const unsigned char* at = bytes_of(text) + offset;
  const std::size_t length = announced_length(*at);
  if (fit(at, length, text.size() - offset) != Fit::whole) {
    return {U'\uFFFD', 1};
  }
  if (length == 1) {
    return {*at, 1};
  }
  char32_t code_point = *at & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    code_point = (code_point << 6U) | (at[i] & 0x3FU);
  }
  return {code_point, length};
}

}  // namespace daybook::base
