// SPDX-License-Identifier: MIT
#include "mcp/line_reader.hpp"

namespace daybook::mcp {

void LineReader::feed(std::string_view bytes, const Visit& visit) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    end_line(bytes.substr(0, end), visit);
    bytes.remove_prefix(end + 1);
  }
  if (skipping_ || begun_.size() + bytes.size() > longest_) {
    skipping_ = true;
    std::string().swap(begun_);
    return;
  }
  begun_.append(bytes);
}

void LineReader::finish(const Visit& visit) { end_line({}, visit); }

void LineReader::end_line(std::string_view rest, const Visit& visit) {
  if (skipping_ || begun_.size() + rest.size() > longest_) {
    skipping_ = false;
    std::string().swap(begun_);
    visit({{}, true});
    return;
  }
  std::string whole;
  std::string_view text = rest;
  if (!begun_.empty()) {
    whole.swap(begun_);
    whole.append(rest);
    text = whole;
  }
  if (text.ends_with('\r')) {
    text.remove_suffix(1);
  }
  if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
    visit({text, false});
  }
}

}  // namespace daybook::mcp
