// SPDX-License-Identifier: MIT
//
// Bytes as they arrive -> lines. One that is too long is skipped to its end while it arrives and
// told once, so that never more than kLongestLine bytes are kept. A line end is LF, with or without
// CR before it; blank lines are none. Values; one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace daybook::mcp {

inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

class LineReader {
 public:
  struct Line {
    std::string_view text;  ///< without its end; lives during the call
    bool too_long = false;  ///< there was more than kLongestLine, and it is gone
  };
  using Visit = std::function<void(const Line&)>;

  explicit LineReader(std::size_t longest = kLongestLine) : longest_(longest) {}

  void feed(std::string_view bytes, const Visit& visit);
  /// The input has ended: what it left behind without a line end is a line, too.
  void finish(const Visit& visit);

 private:
  void end_line(std::string_view rest, const Visit& visit);

  std::size_t longest_;
  std::string begun_;  // what has arrived of a line that goes on
  bool skipping_ = false;
};

}  // namespace daybook::mcp
