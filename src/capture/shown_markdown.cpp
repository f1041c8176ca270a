// SPDX-License-Identifier: MIT
#include "capture/shown_markdown.hpp"

#include "capture/plain_sentence.hpp"

#include <algorithm>

namespace daybook::capture {
namespace {

/// The backticks or tildes of a line that opens or closes a fence; empty: it does neither.
std::string fence_of(std::string_view line) {
  constexpr std::size_t kMostIndent = 3;
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view rest = line.substr(indent);
  if (indent > kMostIndent || (!rest.starts_with("```") && !rest.starts_with("~~~"))) {
    return {};
  }
  return std::string(rest.substr(0, rest.find_first_not_of(rest.front())));
}

/// Without `code` on one line. A line with an escaped backtick is left as it is, because there one
/// would have to know what the escape hits.
std::string without_spans(std::string_view line) {
  std::string out;
  if (line.find("\\`") != std::string_view::npos) {
    return std::string(line);
  }
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t open = std::min(line.find('`', at), line.size());
    out.append(line.substr(at, open - at));
    const std::size_t inside = std::min(line.find_first_not_of('`', open), line.size());
    const std::string_view mark = line.substr(open, inside - open);
    if (mark.empty()) {
      break;
    }
    std::size_t close = inside;
    std::size_t behind = inside;
    while (close < line.size()) {
      close = std::min(line.find('`', behind), line.size());
      behind = std::min(line.find_first_not_of('`', close), line.size());
      if (behind - close == mark.size()) {
        break;
      }
    }
    if (close == line.size()) {
      return out.append(line.substr(open));  // closed by nothing: all of it is text
    }
    at = behind;
  }
  return out;
}

}  // namespace

bool has_link_definition(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    if (line.starts_with('[') && line.find("]:") != std::string_view::npos) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

std::string without_code(std::string_view text) {
  std::string out;
  std::string fence;  // that is open
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::string mark = fence_of(line);
    if (!fence.empty()) {
      const bool closes = mark.starts_with(fence) && trimmed(line) == mark;
      fence = closes ? std::string() : fence;
      continue;
    }
    if (!mark.empty() && trimmed(line).substr(mark.size()).find('`') == std::string_view::npos) {
      fence = mark;
      continue;
    }
    out.append(without_spans(line)).push_back('\n');
  }
  return out;
}

}  // namespace daybook::capture
