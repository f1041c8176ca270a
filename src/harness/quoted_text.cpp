// SPDX-License-Identifier: MIT
#include "harness/quoted_text.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace daybook::harness {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

/// Bytes at which copying has to stop and look.
constexpr std::array<bool, 256> kNotable = [] {
  std::array<bool, 256> notable{};
  for (std::size_t c = 0; c < 0x20; ++c) {
    notable[c] = c != '\t';
  }
  notable[0x7F] = true;
  notable[0xC2] = true;  // NEL and the other C1 controls
  notable[0xE2] = true;  // the line and paragraph separators
  return notable;
}();

bool is_notable(char c) { return kNotable[static_cast<unsigned char>(c)]; }

enum class Meaning : std::uint8_t { text, line_end, nothing };

struct Notable {
  Meaning meaning = Meaning::text;
  std::size_t size = 1;
};

/// A terminal's control sequence, ESC [ … letter, has the size of all of it.
std::size_t escape_size(std::string_view text, std::size_t at) {
  if (text.substr(at + 1, 1) != "[") {
    return 1;
  }
  std::size_t end = at + 2;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) {
    ++end;
  }
  const bool ends = end < text.size() && text[end] >= 0x40 && text[end] < 0x7F;
  return ends ? end + 1 - at : 1;
}

Notable look_at(std::string_view text, std::size_t at) {
  switch (text[at]) {
    case '\n':
    case '\v':
    case '\f':
      return {Meaning::line_end, 1};
    case '\r':
      return {Meaning::line_end, text.substr(at + 1, 1) == "\n" ? 2U : 1U};
    case '\x1b':
      return {Meaning::nothing, escape_size(text, at)};
    case '\xC2': {
      const bool c1 = at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
      return !c1 ? Notable{}
                 : Notable{text[at + 1] == '\x85' ? Meaning::line_end : Meaning::nothing, 2};
    }
    case '\xE2': {
      const std::string_view rest = text.substr(at + 1, 2);
      return rest == "\x80\xA8" || rest == "\x80\xA9" ? Notable{Meaning::line_end, 3} : Notable{};
    }
    default:
      return {Meaning::nothing, 1};
  }
}

/// Follows the fences of a message as CommonMark has them, so that an open one can be closed.
class FenceWatch {
 public:
  void line(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (indent > 3 || indent == line.size()) {
      return;
    }
    const char mark = line[indent];
    if (mark != '`' && mark != '~') {
      return;
    }
    const std::size_t end = std::min(line.find_first_not_of(mark, indent), line.size());
    const std::size_t run = end - indent;
    const std::string_view rest = line.substr(end);
    if (open_ == 0) {
      // Backticks behind a fence of backticks make it a code span in a paragraph.
      if (run >= 3 && (mark == '~' || rest.find('`') == std::string_view::npos)) {
        open_ = run;
        mark_ = mark;
      }
    } else if (mark == mark_ && run >= open_ && trimmed(rest).empty()) {
      open_ = 0;
    }
  }

  bool inside() const { return open_ > 0; }
  std::string closing() const { return std::string(open_, mark_); }

 private:
  std::size_t open_ = 0;  // length of the open fence
  char mark_ = '`';
};

/// The lines of a quote: `>` alone for an empty one, so that none ends in a blank of ours.
class QuoteLines {
 public:
  explicit QuoteLines(std::string& out) : out_(out) { begin(); }

  void text(std::string_view piece) {
    if (piece.empty()) {
      return;
    }
    if (out_.size() == line_begin_) {
      out_ += ' ';
    }
    out_ += piece;
  }

  void end_line() {
    const std::size_t content = std::min(line_begin_ + 1, out_.size());
    if (!fences_.inside()) {
      break_comments(content);
    }
    fences_.line(std::string_view(out_).substr(content));
    out_ += '\n';
    begin();
  }

  /// Closes what is open and ends the last line.
  void finish() {
    end_line();
    const std::string closing = fences_.closing();
    if (closing.empty()) {
      out_.pop_back();  // the `>` that end_line began
    } else {
      text(closing);
      out_ += '\n';
    }
  }

 private:
  /// Obsidian hides what stands between two `%%`, and does not ask where a quote ends.
  void break_comments(std::size_t from) {
    constexpr std::string_view kLookAlike = "％";
    for (std::size_t at = out_.find("%%", from); at != std::string::npos;
         at = out_.find("%%", at)) {
      const std::size_t end = std::min(out_.find_first_not_of('%', at), out_.size());
      std::string marks;
      for (std::size_t i = at; i < end; ++i) {
        marks += kLookAlike;
      }
      out_.replace(at, end - at, marks);
      at += marks.size();
    }
  }

  void begin() {
    out_ += '>';
    line_begin_ = out_.size();
  }

  std::string& out_;
  FenceWatch fences_;
  std::size_t line_begin_ = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Whole lines of blanks in front go; the blanks before the first word stay, they may be code.
std::string_view without_blank_ends(std::string_view text) {
  std::size_t first = 0;
  while (first < text.size() && is_blank(text[first])) {
    ++first;
  }
  if (first == text.size()) {
    return {};
  }
  const std::size_t line_end = text.substr(0, first).find_last_of("\n\r");
  text.remove_prefix(line_end == std::string_view::npos ? 0 : line_end + 1);
  while (is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

void append_quote(std::string_view whole, std::string& out) {
  const std::string_view text = without_blank_ends(whole);
  if (text.empty()) {
    return;
  }
  QuoteLines lines(out);
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_notable(text[at])) {
      ++at;
      continue;
    }
    const Notable found = look_at(text, at);
    if (found.meaning != Meaning::text) {
      lines.text(text.substr(copied, at - copied));
      copied = at + found.size;
      if (found.meaning == Meaning::line_end) {
        lines.end_line();
      }
    }
    at += found.size;
  }
  lines.text(text.substr(std::min(copied, text.size())));
  lines.finish();
}

std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t characters = 0;
  bool gap = false;
  for (std::size_t at = 0; at < text.size();) {
    const Notable found = text[at] == ' ' || text[at] == '\t' ? Notable{Meaning::line_end, 1}
                          : is_notable(text[at])              ? look_at(text, at)
                                                              : Notable{};
    if (found.meaning != Meaning::text) {
      gap = gap || found.meaning == Meaning::line_end;
      at += found.size;
      continue;
    }
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;  // most are
    const std::size_t size = ascii ? 1 : base::decode_utf8(text, at).size;
    const bool spaced = gap && !line.empty();
    if (characters + (spaced ? 1 : 0) >= most) {
      line += kEllipsis;
      return line;
    }
    if (spaced) {
      line += ' ';
    }
    ascii ? line.push_back(text[at]) : static_cast<void>(line.append(text, at, size));
    characters += spaced ? 2 : 1;
    gap = false;
    at += size;
  }
  return line;
}

std::string code_span(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool touches = text.front() == '`' || text.back() == '`';
  const std::string_view gap = touches ? " " : "";
  return fence + std::string(gap) + std::string(text) + std::string(gap) + fence;
}

std::string tool_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 64)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("_.:-/").find(c) != std::string_view::npos;
    name += plain ? c : '_';
  }
  return name.empty() ? "tool" : name;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1000) {
    return std::to_string(bytes) + " B";
  }
  static constexpr std::array<std::string_view, 4> kUnits{"KB", "MB", "GB", "TB"};
  std::uint64_t tenths = bytes / 100;
  std::size_t unit = 0;
  while (tenths >= 10000 && unit + 1 < kUnits.size()) {
    tenths /= 1000;
    ++unit;
  }
  std::string text = std::to_string(tenths / 10);
  if (tenths < 100) {
    text += "." + std::to_string(tenths % 10);
  }
  return text + " " + std::string(kUnits[unit]);
}

std::uint64_t repair_utf8(std::string& text) {
  std::size_t bad = base::first_invalid_utf8(text);
  if (bad == base::kAllValid) {
    return 0;
  }
  std::uint64_t replaced = 0;
  std::string repaired;
  repaired.reserve(text.size() + 16);
  std::string_view rest = text;
  while (bad != base::kAllValid) {
    repaired.append(rest.substr(0, bad)).append(kReplacement);
    rest.remove_prefix(bad + 1);
    ++replaced;
    bad = base::first_invalid_utf8(rest);
  }
  repaired += rest;
  text.swap(repaired);
  return replaced;
}

std::string_view cut_bytes(std::string_view text, std::size_t most) {
  return text.substr(0, base::character_begin(text, most));
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace daybook::harness
