// SPDX-License-Identifier: MIT
//
// Body -> the wikilinks in it, in order: `[[target]]`, `[[target|label]]`, `[[target#heading]]`,
// `![[embed]]`. cmark-gfm decides what is text, so that code, HTML and link destinations do not
// count; a body that is too large or of a shape that cmark-gfm cannot take in linear time is read
// by a simple line scanner instead, and the caller is told. No body of up to 8 MB costs more than
// 200 ms, none at all more than 64 MB; the line scanner takes at most 20 ns a line, and typically
// less than 1 ns a byte. A body without `[[` costs one search. Any thread; cannot fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace daybook::parse {

struct Wikilink {
  std::string_view inside;  ///< what stands between the brackets; valid during the visit only
  std::uint32_t line = 0;   ///< in the body, from 1
  bool embed = false;       ///< `![[…]]`
};

using LinkVisitor = std::function<void(const Wikilink&)>;

enum class LinkScan : std::uint8_t {
  exact,   ///< cmark-gfm has judged
  linear,  ///< the line scanner has: links in unusual code may be counted
};

LinkScan find_wikilinks(std::string_view body, const LinkVisitor& visit);

/// The line scanner, for bodies that arrive in pieces. Knows fenced code and code spans that end on
/// their line; nothing else hides a link from it. Constant memory.
class LinearLinkScanner {
 public:
  explicit LinearLinkScanner(LinkVisitor visit) : visit_(std::move(visit)) {}
  void feed(std::string_view piece);
  void finish();

 private:
  enum class Segment : std::uint8_t { line_goes_on, line_ends };

  void append(std::string_view part);
  void end_line(std::string_view line);
  bool read_fence(std::string_view line);
  std::size_t scan_segment(std::string_view text, Segment segment);

  LinkVisitor visit_;
  std::string carried_;  // what is not yet scanned of a line that came in parts, bounded
  std::uint32_t line_ = 1;
  char fence_ = 0;  // the character of the open code fence, 0 outside
  std::size_t fence_length_ = 0;
  bool line_overflowed_ = false;        // the beginning of this line has been scanned and dropped
  bool after_carriage_return_ = false;  // a line feed at the beginning of the next piece is no line
};

}  // namespace daybook::parse
