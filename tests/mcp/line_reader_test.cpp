// SPDX-License-Identifier: MIT
#include "mcp/line_reader.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::mcp {
namespace {

std::vector<std::string> lines_of(LineReader& reader, std::string_view bytes) {
  std::vector<std::string> lines;
  reader.feed(bytes, [&lines](const LineReader::Line& line) {
    lines.push_back(line.too_long ? "(too long)" : std::string(line.text));
  });
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("A line is told when its end arrives, however it is cut into pieces") {
  const std::string text = "one\r\n\n  \ntwo\nthree";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    LineReader reader;
    Lines lines = lines_of(reader, text.substr(0, cut));
    const Lines more = lines_of(reader, text.substr(cut));
    lines.insert(lines.end(), more.begin(), more.end());
    CHECK(lines == Lines{"one", "two"});
    reader.finish([&lines](const LineReader::Line& line) { lines.emplace_back(line.text); });
    CHECK(lines == Lines{"one", "two", "three"});
  }
}

TEST_CASE("A line that is too long is skipped to its end, told once, and the next one is read") {
  for (const std::size_t piece : {1U, 3U, 7U, 100U}) {
    LineReader reader(8);
    Lines lines;
    const std::string text = "12345678\n123456789\nshort\n" + std::string(50, 'x') + "\nend\n";
    for (std::size_t at = 0; at < text.size(); at += piece) {
      const Lines more = lines_of(reader, text.substr(at, piece));
      lines.insert(lines.end(), more.begin(), more.end());
    }
    CHECK(lines == Lines{"12345678", "(too long)", "short", "(too long)", "end"});
  }
}

}  // namespace daybook::mcp
