// SPDX-License-Identifier: MIT
#include "daybook/base/printable.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace daybook::base {
namespace {

/// Characters that reorder or hide their neighbours: bidirectional controls, zero-width ones, the
/// byte-order mark, line and paragraph separators, tags.
bool misleads(char32_t c) {
  return c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

std::string escaped(const char* format, unsigned value) {
  std::array<char, 16> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), format, value);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [code_point, size] = decode_utf8(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (size == 1 && byte >= 0x80) {
      out += escaped("\\x%02x", byte);
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (code_point < 0x20 || code_point == 0x7F) {
      out += escaped("\\x%02x", byte);
    } else if ((code_point >= 0x80 && code_point < 0xA0) || misleads(code_point)) {
      out += escaped("\\u%04x", static_cast<unsigned>(code_point));
    } else {
      out.append(text.substr(at, size));
    }
    at += size;
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    std::string_view piece = text.substr(0, end);
    const bool ends_line = end < text.size() && text[end] == '\n';
    if (ends_line && piece.ends_with('\r')) {
      piece.remove_suffix(1);
    }
    out.append(printable(piece));
    if (end < text.size()) {
      out.push_back(text[end]);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string set_off(std::string_view text) {
  constexpr std::string_view kIndent = "  ";
  const std::string lines = printable_lines(text);
  const std::size_t first = lines.find_first_not_of(" \t");
  const bool looks_like_frame =
      first != std::string::npos && (lines[first] == '[' || lines[first] == '-');
  std::string out(looks_like_frame ? kIndent : "");
  out.reserve(lines.size() + lines.size() / 16);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    out.push_back(lines[at]);
    const bool goes_on = at + 1 < lines.size() && lines[at + 1] != '\n';
    if (lines[at] == '\n' && goes_on) {
      out.append(kIndent);
    }
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t most_bytes) {
  std::string out("'");
  if (text.size() <= most_bytes) {
    return out.append(text).append("'");
  }
  return out.append(text.substr(0, character_begin(text, most_bytes))).append("…'");
}

}  // namespace daybook::base
