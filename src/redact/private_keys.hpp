// SPDX-License-Identifier: MIT
//
// Private keys in their armour, from `-----BEGIN … PRIVATE KEY-----` to the END line: on lines of
// their own (also quoted, commented, indented, numbered), behind the prefix of a log or a search,
// on one line with escaped newlines, or cut off before the END. Public keys and certificates stay.
// Pure.
#pragma once

#include "redact/cursor.hpp"

#include <cstdint>
#include <string>

namespace daybook::redact {

/// At the first of the dashes. `Hit::opens_key`: the line ends before the key does.
Hit match_private_key(const Cursor& cursor);

/// Behind the marker of a key that goes on in the next line: only quotes, blanks and the like stand
/// there. npos: there is none, or text follows it.
std::size_t behind_open_key(std::string_view line);

/// What a line is while a key is open.
enum class KeyLine : std::uint8_t {
  inside,   ///< of the key
  waits,    ///< of the key if more of it follows, else text: blank, `...`, a header
  ends_it,  ///< holds the END; what stands behind `size` bytes of it is text again
  beside,   ///< text, in which marks took the place of what is of the key; more may follow
  outside,  ///< the same, and the key is over
};

struct KeyLineVerdict {
  KeyLine kind = KeyLine::outside;
  std::size_t size = 0;
};

/// A key whose lines have nothing but marks before them goes as a whole. Once a line has other text
/// as well, only the runs of base64 go, and the key is over when none came for some lines.
class OpenKey {
 public:
  void open(bool among_text) {
    *this = {};
    among_text_ = among_text;
  }
  KeyLineVerdict judge(std::string& line);

 private:
  KeyLine judge_own_line(std::string_view line);
  KeyLineVerdict end_with(std::string& line, std::size_t begin, std::size_t end) const;

  std::uint64_t body_lines_ = 0;
  int idle_ = 0;           // lines since the last part of the key
  bool numbered_ = false;  // by a tool that showed the file
  bool spaced_ = false;    // by blank lines
  bool among_text_ = false;
};

}  // namespace daybook::redact
