// SPDX-License-Identifier: MIT
#include "parse/markdown_shape.hpp"

#include "parse/link_candidates.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace daybook::parse {
namespace {

using Work = std::uint64_t;

// One unit is about one nanosecond of libcmark-gfm 0.29.0.gfm.6 where it was measured, and half a
// byte of its memory at most: a node takes 450 units and up to 240 bytes. So one limit keeps both,
// time at a third and memory at half of what is promised.
constexpr Work kLimit = 60'000'000;
constexpr Work kPerByte = 10;
constexpr Work kPerLine = 130;
constexpr Work kPerNode = 450;
constexpr Work kPerLineAndDepth = 40;    // every line walks over all open containers
constexpr Work kPerNodeAndDepth = 8;     // a new node looks for itself among its ancestors
constexpr Work kPerUnclosedByte = 3;     // `<?` looks for `?>` up to the end of the paragraph
constexpr Work kPerImageAndBracket = 9;  // a link tells every open `![` before it
constexpr Work kPerUrlByte = 4;  // `](` reads to the next blank, or over 32 more of its kind
constexpr Work kMaxUrlReads = 33;
constexpr Work kPerReferenceByte = 2;  // each use of a reference copies its destination

constexpr std::size_t kMaxLabelBytes = 1100;  // cmark's 1,000, and room for a doubt

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The length of the list marker or `>` at `at`, 0 if there is none.
std::size_t marker_length(std::string_view line, std::size_t at) {
  if (line[at] == '>') {
    return 1;
  }
  std::size_t end = at;
  if (line[at] == '-' || line[at] == '+' || line[at] == '*') {
    ++end;
  } else {
    while (end < line.size() && end < at + 9 && is_digit(line[end])) {
      ++end;
    }
    if (end == at || end == line.size() || (line[end] != '.' && line[end] != ')')) {
      return 0;
    }
    ++end;
  }
  return end == line.size() || is_blank(line[end]) ? end - at : 0;
}

enum class Byte : std::uint8_t {
  plain,
  node,     // becomes a node of its own
  chained,  // does so directly behind such a node: cmark-gfm's typography, although it is off
  other,    // may end such a node
};

constexpr std::array<Byte, 256> byte_table() {
  std::array<Byte, 256> table{};
  for (const char c : std::string_view("[]!<\\`")) {
    table[static_cast<unsigned char>(c)] = Byte::node;
  }
  for (const char c : std::string_view("-.\"'")) {
    table[static_cast<unsigned char>(c)] = Byte::chained;
  }
  for (const char c : std::string_view("()>")) {
    table[static_cast<unsigned char>(c)] = Byte::other;
  }
  return table;
}

constexpr std::array<Byte, 256> kBytes = byte_table();

/// Openers that search for their end in vain, up to the end of the paragraph. An end clears those
/// on its own line only: lines may belong to different paragraphs without a blank one between them.
struct Unclosed {
  Work count = 0;
  Work offsets = 0;

  void add(std::size_t at) {
    ++count;
    offsets += at;
  }
  void add(const Unclosed& others) {
    count += others.count;
    offsets += others.offsets;
  }
  Work bytes_searched(std::size_t end) const { return count * end - offsets; }
};

class WorkEstimate {
 public:
  explicit WorkEstimate(std::string_view text) : text_(text) {}

  bool is_within_limit() {
    LineEnds ends(text_);
    for (std::size_t start = 0; start < text_.size() && work_ <= kLimit;) {
      const std::size_t end = ends.next(start);
      add_line(start, end);
      start = ends.skip(end);
    }
    end_paragraph(text_.size());
    end_word();
    work_ += kPerReferenceByte * longest_definition_ * brackets_;
    return work_ <= kLimit;
  }

 private:
  void add_line(std::size_t start, std::size_t end) {
    const std::string_view line = text_.substr(start, end - start);
    const LinePrefix prefix = read_line_prefix(line);
    // Containers stay open only under two columns of indentation each, or a marker of their own.
    depth_ = std::max(depth_, std::min(depth_, Work{prefix.columns / 2}) + prefix.markers);
    work_ += kPerLine + kPerByte * line.size() + kPerLineAndDepth * depth_;
    if (prefix.length == line.size() && prefix.markers == 0) {
      end_paragraph(end);
      return;
    }
    const std::size_t text = start + prefix.length;
    if (text < end && text_[text] == '[') {
      label_ = text;
    }
    const Work nodes = 2 + 2 * prefix.markers + read_text(text, end);
    work_ += nodes * (kPerNode + kPerNodeAndDepth * depth_);
    for (Unclosed* openers : {&instructions_, &cdata_, &declarations_}) {
      unclosed_.add(*openers);
      *openers = {};
    }
  }

  /// Returns the number of nodes that the text of one line can become, but for the last.
  Work read_text(std::size_t from, std::size_t end) {
    Work nodes = 0;
    Work text = 0;            // 1 if there is plain text since the last node
    bool behind_node = true;  // perhaps
    for (std::size_t at = from; at < end; ++at) {
      const Byte kind = kBytes[static_cast<unsigned char>(text_[at])];
      if (kind != Byte::plain) {
        read_special(at);
      }
      const char previous = at > from ? text_[at - 1] : '\0';
      if (kind == Byte::node || (kind == Byte::chained && behind_node)) {
        nodes += text_[at] == '`' && previous == '`' ? 0 : 1 + text;
        text = 0;
        behind_node = true;
      } else {
        text = 1;
        behind_node = kind == Byte::other || previous == '\\';
      }
    }
    return nodes;
  }

  char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  void read_special(std::size_t at) {
    switch (text_[at]) {
      case '!':
        images_ += peek(at + 1) == '[' ? 1U : 0U;
        break;
      case ']':
        close_bracket(at);
        break;
      case '<':
        open_html(at);
        break;
      case '>':
        close_html(at);
        break;
      case '"':
      case '\'':
      case '(':
        definition_has_title_ = true;  // perhaps, and over lines that look like other definitions
        break;
      default:
        break;
    }
  }

  void close_bracket(std::size_t at) {
    ++brackets_;
    ++paragraph_brackets_;
    if (peek(at + 1) == '(') {
      read_url(at);
    }
    if (peek(at + 1) != ':' || label_ == kNone || at - label_ > kMaxLabelBytes) {
      return;
    }
    label_ = kNone;
    if (definition_ == kNone || !definition_has_title_) {
      end_definition(at);
      definition_ = at;
      definition_has_title_ = false;
    }
  }

  void read_url(std::size_t at) {
    if (at >= word_end_) {
      end_word();
      word_ = at;
      word_end_ = std::min(text_.find_first_of(" \t\r\n", at), text_.size());
    }
    ++word_urls_;
  }

  void end_word() {
    work_ += kPerUrlByte * std::min(word_urls_, kMaxUrlReads) * (word_end_ - word_);
    word_urls_ = 0;
  }

  void open_html(std::size_t at) {
    const char next = peek(at + 1);
    const char second = peek(at + 2);
    if (next == '?') {
      instructions_.add(at);
    } else if (next == '!' && second == '[') {
      cdata_.add(at);
    } else if (next == '!' && is_letter(second)) {
      declarations_.add(at);
    }
  }

  /// Only what surely is an end: of `??>` and `]]]>` cmark-gfm may take the first byte otherwise.
  void close_html(std::size_t at) {
    declarations_ = {};
    if (at >= 2 && text_[at - 1] == '?' && text_[at - 2] != '?') {
      instructions_ = {};
    }
    if (at >= 3 && text_[at - 1] == ']' && text_[at - 2] == ']' && text_[at - 3] != ']') {
      cdata_ = {};
    }
  }

  void end_definition(std::size_t end) {
    if (definition_ != kNone) {
      longest_definition_ = std::max(longest_definition_, Work{end - definition_});
    }
    definition_ = kNone;
  }

  void end_paragraph(std::size_t end) {
    end_definition(end);
    work_ += kPerImageAndBracket * images_ * paragraph_brackets_;
    work_ += kPerUnclosedByte * unclosed_.bytes_searched(end);
    images_ = paragraph_brackets_ = 0;
    unclosed_ = {};
    label_ = kNone;
  }

  std::string_view text_;
  Work work_ = 0;
  Work depth_ = 0;     // of containers, at most
  Work brackets_ = 0;  // `]` in the whole text
  Work longest_definition_ = 0;
  // Of the paragraph, at most: the lines since the last blank one.
  Work images_ = 0;
  Work paragraph_brackets_ = 0;
  Unclosed unclosed_;
  std::size_t label_ = kNone;       // of the last line that begins with `[`
  std::size_t definition_ = kNone;  // of the last `[label]:`
  bool definition_has_title_ = false;
  // Of the line: `<?`, `<![CDATA[` and `<!A`.
  Unclosed instructions_;
  Unclosed cdata_;
  Unclosed declarations_;
  // Of the last run of bytes without a blank that has a `](` in it.
  std::size_t word_ = 0;
  std::size_t word_end_ = 0;
  Work word_urls_ = 0;
};

}  // namespace

LinePrefix read_line_prefix(std::string_view line) {
  LinePrefix prefix;
  while (prefix.length < line.size()) {
    const char c = line[prefix.length];
    if (is_blank(c)) {
      prefix.columns += c == '\t' ? 4 : 1;
      ++prefix.length;
      continue;
    }
    const std::size_t marker = marker_length(line, prefix.length);
    if (marker == 0) {
      break;
    }
    ++prefix.markers;
    prefix.length += marker;
  }
  return prefix;
}

bool is_cheap_markdown(std::string_view markdown) {
  return WorkEstimate(markdown).is_within_limit();
}

}  // namespace daybook::parse
