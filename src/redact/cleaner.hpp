// SPDX-License-Identifier: MIT
//
// Bytes in pieces -> clean text: CRLF and CR become LF, blanks and tabs at line ends go, invalid
// UTF-8 becomes U+FFFD, control characters go together with the terminal sequence (CSI) that an
// escape begins. A run of more than 65,536 blanks is cut to that length, so that memory stays
// bounded. One Cleaner belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::redact {

class Cleaner {
 public:
  /// At most this many bytes in one piece; more must be fed in several.
  static constexpr std::size_t kMostBlanks = 65536;

  void feed(std::string_view piece, std::string& sink);
  void finish(std::string& sink);

  std::uint64_t replaced_bytes() const { return replaced_; }
  std::uint64_t removed_bytes() const { return removed_; }

 private:
  enum class Sequence : std::uint8_t { none, escape, csi };

  void take(std::string_view piece, std::string& sink);
  void plain(std::string_view run, std::string& sink);
  std::size_t special(std::string_view rest, std::string& sink);
  std::size_t beyond_ascii(std::string_view rest, std::string& sink);
  bool swallowed(char c);
  void newline(std::string& sink);

  std::string blanks_;   // that may turn out to end their line
  std::string carried_;  // the beginning of a character that the end of a piece cut
  std::uint64_t replaced_ = 0;
  std::uint64_t removed_ = 0;
  std::size_t sequence_size_ = 0;
  Sequence sequence_ = Sequence::none;
  bool after_return_ = false;
  bool last_ = false;  // nothing follows: a character that is cut is invalid
};

}  // namespace daybook::redact
