// SPDX-License-Identifier: MIT
//
// Private keys in their armour, from `-----BEGIN … PRIVATE KEY-----` to the END line: on lines of
// their own (also quoted, commented, indented, numbered), on one line with escaped newlines, or cut
// off before the END. Public keys and certificates stay. Pure.
#pragma once

#include "redact/cursor.hpp"

#include <cstdint>

namespace daybook::redact {

/// At the dashes. `Hit::opens_key`: the line ends before the key does.
Hit match_private_key(const Cursor& cursor);

/// What a line is while a key is open.
enum class KeyLine : std::uint8_t {
  inside,   ///< of the key
  ends_it,  ///< holds the END; what stands behind `size` bytes of it is text again
  outside,  ///< text again: the key was cut off before
};

struct KeyLineVerdict {
  KeyLine kind = KeyLine::outside;
  std::size_t size = 0;
};

class OpenKey {
 public:
  void open() {
    body_lines_ = 0;
    numbered_ = false;
  }
  KeyLineVerdict judge(std::string_view line);

 private:
  std::uint64_t body_lines_ = 0;
  bool numbered_ = false;  // by a tool that showed the file
};

}  // namespace daybook::redact
