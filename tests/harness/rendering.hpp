// SPDX-License-Identifier: MIT
//
// A session file in a string, rendered; and whether its markdown keeps to its shape.
#pragma once

#include "daybook/harness/session_file.hpp"
#include "support/text_lines.hpp"

#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

struct Rendered {
  std::string markdown;
  SessionOutline outline;
};

inline Rendered render_pieces(Format format, const std::vector<std::string>& pieces) {
  TranscriptRenderer renderer(format);
  Rendered rendered;
  for (const std::string& piece : pieces) {
    renderer.feed(piece, rendered.markdown);
  }
  renderer.finish(rendered.markdown);
  rendered.outline = renderer.outline();
  return rendered;
}

inline Rendered render(Format format, const std::string& text) {
  return render_pieces(format, {text});
}

/// The first line that is none of: blank, heading, quote, call, remark of ours. Empty if all are.
inline std::string misshapen_line(const std::string& markdown) {
  static const std::regex kShape(
      "|>|> .*"
      "|## (User|Assistant|User \\(sub-agent\\)|Assistant \\(sub-agent\\)|Compaction summary)"
      "( · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)?"
      "|- \\*\\*[A-Za-z0-9_.:/-]{1,64}\\*\\*.* \\((input .*, )?(no result|result .*)\\)"
      "|- \\*a call that is not in this file\\* \\(result .*\\)"
      "|\\*(Interrupted by the user|The context was compacted here|A line of .* was left "
      "out)\\.\\*");
  for (const std::string& line : support::lines_of(markdown)) {
    // A regular expression of the library recurses once a character.
    const std::string beginning = line.size() > 2000 ? line.substr(0, 2000) : line;
    if (!beginning.starts_with(">") && !std::regex_match(beginning, kShape)) {
      return line;
    }
  }
  return {};
}

}  // namespace daybook::harness
