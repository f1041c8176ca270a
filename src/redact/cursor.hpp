// SPDX-License-Identifier: MIT
//
// A place in a text where a shape may stand, and what a matcher says about it. What stands before
// is what was already sanitised, what stands behind is still raw; so a second pass, which finds the
// first one's markers there, sees the same to the left. Matchers never look past the end of a line.
#pragma once

#include "redact/characters.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace daybook::redact {

inline constexpr std::string_view kMarker = "<redacted>";
inline constexpr std::string_view kKeyMarker = "<redacted:private-key>";
inline constexpr std::string_view kCardMarker = "<redacted:card>";
inline constexpr std::string_view kPhoneMarker = "<redacted:phone>";
inline constexpr std::string_view kEmailMarker = "<redacted:email>";
inline constexpr std::string_view kSsnMarker = "<redacted:ssn>";

/// A matcher that fails has looked at no more than this many bytes in each direction. That bounds
/// the work at a place, and makes a line of any length workable in windows.
inline constexpr std::size_t kReach = 4096;

struct Cursor {
  const char* left_begin;
  const char* left_end;
  const char* at;
  const char* end;
  std::uint64_t* work;  ///< counts the bytes that matchers look at

  /// The i-th character before; '\n' where there is none.
  char before(std::size_t i = 0) const {
    return static_cast<std::size_t>(left_end - left_begin) > i
               ? left_end[-1 - static_cast<std::ptrdiff_t>(i)]
               : '\n';
  }
  char peek(std::size_t i = 0) const { return peek_at(at + i); }
  char peek_at(const char* p) const { return p < end ? *p : '\n'; }

  std::string_view left(std::size_t most) const {
    const auto size = static_cast<std::size_t>(left_end - left_begin);
    const std::size_t taken = size < most ? size : most;
    return {left_end - taken, taken};
  }
  std::string_view rest() const { return {at, static_cast<std::size_t>(end - at)}; }
  bool starts_with(std::string_view text) const { return rest().starts_with(text); }

  void looked_at(std::ptrdiff_t bytes) const { *work += static_cast<std::uint64_t>(bytes); }
};

/// Nothing was found while `marker` is empty.
struct Hit {
  std::size_t erase = 0;    ///< bytes before the place that go, too
  std::size_t keep = 0;     ///< bytes from the place on that stay
  std::size_t consume = 0;  ///< bytes behind those that the marker replaces
  std::string_view marker;
  std::string_view shape;
  bool pii = false;
  bool opens_key = false;  ///< a private key goes on in the next lines
  bool wraps = false;      ///< the line ends with it: the next one may bring more of it

  explicit operator bool() const { return !marker.empty(); }
};

/// End of the run of characters of these classes, at most `most` long.
inline const char* run_end(const char* at, const char* end, CharClass classes, std::size_t most) {
  const char* const last = static_cast<std::size_t>(end - at) > most ? at + most : end;
  while (at < last && is(*at, classes)) {
    ++at;
  }
  return at;
}

inline const char* run_end(const char* at, const char* end, CharClass classes) {
  while (at < end && is(*at, classes)) {
    ++at;
  }
  return at;
}

inline std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace daybook::redact
