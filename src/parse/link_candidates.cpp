// SPDX-License-Identifier: MIT
#include "parse/link_candidates.hpp"

#include <algorithm>

namespace daybook::parse {
namespace {

/// True for what may not stand inside: whatever begins there is not this candidate.
bool ends_search(char c) { return c == '[' || c == '`' || c == '\n' || c == '\r'; }

/// The offset of the `]]` of the candidate that opens before `inside`, or where looking for it
/// ended.
struct Close {
  std::size_t at = 0;
  bool found = false;
};

Close find_close(std::string_view text, std::size_t inside) {
  const std::size_t limit = std::min(text.size(), inside + kMaxLinkBytes + 1);
  for (std::size_t at = inside; at < limit; ++at) {
    if (ends_search(text[at])) {
      return {at, false};
    }
    if (text[at] == ']' && at + 1 < text.size() && text[at + 1] == ']') {
      return {at, true};
    }
  }
  return {limit, false};
}

std::size_t search_line_end(std::string_view text, char end, std::size_t from) {
  return std::min(text.find(end, from), text.size());
}

}  // namespace

bool is_escaped(std::string_view text, std::size_t at) {
  std::size_t first = at;
  while (first > 0 && text[first - 1] == '\\') {
    --first;
  }
  return (at - first) % 2 == 1;
}

std::optional<LinkCandidate> next_candidate(std::string_view text, std::size_t from) {
  std::size_t open = text.find("[[", from);
  while (open != kNone) {
    while (open + 2 < text.size() && text[open + 2] == '[') {
      ++open;  // of `[[[[` only the last two can be the brackets of a link
    }
    const std::size_t inside = open + 2;
    const Close close = find_close(text, inside);
    const bool spelled = close.found && close.at > inside && !is_blank(text[inside]);
    if (spelled && !is_escaped(text, open)) {
      const bool embed = open > 0 && text[open - 1] == '!' && !is_escaped(text, open - 1);
      return LinkCandidate{open, close.at + 2, embed};
    }
    open = text.find("[[", close.at);
  }
  return std::nullopt;
}

std::size_t LineEnds::next(std::size_t from) {
  if (!searched_ || line_feed_ < from) {
    line_feed_ = search_line_end(text_, '\n', from);
  }
  if (!searched_ || carriage_return_ < from) {
    carriage_return_ = search_line_end(text_, '\r', from);
  }
  searched_ = true;
  return std::min(line_feed_, carriage_return_);
}

std::size_t LineEnds::skip(std::size_t end) const {
  if (end >= text_.size()) {
    return text_.size();
  }
  const bool pair = text_[end] == '\r' && end + 1 < text_.size() && text_[end + 1] == '\n';
  return end + (pair ? 2 : 1);
}

}  // namespace daybook::parse
