// SPDX-License-Identifier: MIT
#include "projection/pinned_note.hpp"

#include "daybook/base/utf8.hpp"
#include "projection/plain_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daybook::projection {
namespace {

constexpr std::string_view kHeading = "## Pinned\n";
constexpr std::size_t kDeepestHeading = 6;
constexpr std::size_t kLowerBy = 2;

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

bool is_frontmatter_fence(std::string_view line) {
  return line.starts_with("---") && is_blank(line.substr(3));
}

/// Everything behind the frontmatter; everything if there is none, or if it has no end.
std::string_view without_frontmatter(std::string_view text) {
  std::string_view rest = text;
  if (!is_frontmatter_fence(next_line(rest))) {
    return text;
  }
  while (!rest.empty()) {
    if (is_frontmatter_fence(next_line(rest))) {
      return rest;
    }
  }
  return text;
}

std::string body_of(std::string_view note) {
  const std::string text = visible_text(note);
  std::string_view body = without_frontmatter(text);
  while (!body.empty()) {
    std::string_view rest = body;
    if (!is_blank(next_line(rest))) {
      break;
    }
    body = rest;
  }
  const std::size_t last = body.find_last_not_of(" \t\n");
  return std::string(body.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

/// What begins at the start of a line and goes on over blank lines until its end is found.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kBlocks{
    {{"<!--", "-->"},
     {"<script", "</script>"},
     {"<pre", "</pre>"},
     {"<style", "</style>"},
     {"<textarea", "</textarea>"},
     {"<?", "?>"},
     {"<![cdata[", "]]>"}}};

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

/// Follows which block of several paragraphs the text is in, line by line.
class OpenBlock {
 public:
  /// Whether the line is ordinary markdown and not inside such a block.
  bool read(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view text = indent <= 3 ? line.substr(indent) : std::string_view{};
    if (!end_.empty()) {
      if (is_fence_ ? closes_fence(text) : ascii_lower(line).find(end_) != std::string::npos) {
        end_.clear();
      }
      return false;
    }
    if (opens_fence(text) || opens_html(text)) {
      return false;
    }
    count_pairs(line);
    return true;
  }

  /// The lines that close what is open.
  std::string closing() const {
    std::string lines;
    for (const std::string_view end : {std::string_view(end_),
                                       std::string_view(comment_open_ ? "%%" : ""),
                                       std::string_view(formula_open_ ? "$$" : "")}) {
      lines.append(end).append(end.empty() ? "" : "\n");
    }
    return lines;
  }

 private:
  bool opens_fence(std::string_view text) {
    const char mark = text.empty() ? ' ' : text.front();
    const std::size_t length = std::min(text.find_first_not_of(mark), text.size());
    const bool info_is_right = mark == '~' || text.find('`', length) == std::string_view::npos;
    if ((mark != '`' && mark != '~') || length < 3 || !info_is_right) {
      return false;
    }
    is_fence_ = true;
    end_.assign(length, mark);
    return true;
  }

  bool closes_fence(std::string_view text) const {
    const std::size_t length = std::min(text.find_first_not_of(end_.front()), text.size());
    return length >= end_.size() && is_blank(text.substr(length));
  }

  bool opens_html(std::string_view text) {
    if (!text.starts_with('<')) {
      return false;
    }
    const std::string lower = ascii_lower(text);
    for (const auto& [begin, end] : kBlocks) {
      if (lower.starts_with(begin) && lower.find(end, begin.size()) == std::string::npos) {
        is_fence_ = false;
        end_ = end;
        return true;
      }
    }
    return false;
  }

  void count_pairs(std::string_view line) {
    for (std::size_t at = 0; at + 1 < line.size(); ++at) {
      const std::string_view pair = line.substr(at, 2);
      if (pair == "%%" || pair == "$$") {
        bool& open = pair == "%%" ? comment_open_ : formula_open_;
        open = !open;
        ++at;
      }
    }
  }

  std::string end_;  // what the open block ends with; empty outside
  bool is_fence_ = false;
  bool comment_open_ = false;
  bool formula_open_ = false;
};

std::string lowered_heading(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = std::min(line.find_first_not_of('#', indent), line.size());
  const std::size_t level = end - indent;
  const bool heading = indent <= 3 && level >= 1 && level <= kDeepestHeading &&
                       (end == line.size() || line[end] == ' ' || line[end] == '\t');
  std::string out;
  if (heading) {
    out.assign(std::min(kLowerBy, kDeepestHeading - level), '#');
  }
  return out.append(line);
}

std::string notice(std::string_view note) {
  return std::string("(The pinned note goes on: it has ")
      .append(std::to_string(note.size()))
      .append(" bytes, read it in [[memory/pinned.md]].)\n");
}

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

bool fits(std::string_view text, Room room) {
  return text.size() <= room.bytes && count_lines(text) <= room.lines;
}

/// The beginning of a line that is too long for any room, cut between characters.
std::string_view prefix(std::string_view line, std::uint64_t most) {
  return line.substr(0, base::character_begin(line, std::min<std::uint64_t>(line.size(), most)));
}

}  // namespace

std::string pinned_pointer(std::string_view note) {
  return body_of(note).empty() ? std::string() : "The pinned note is [[memory/pinned.md]].\n";
}

std::string pinned_section(std::string_view note, Room room) {
  const std::string body = body_of(note);
  if (body.empty()) {
    return {};
  }
  const std::string goes_on = notice(note);
  std::string section(kHeading);
  std::string kept;  // the longest beginning behind which its end and the notice still fit
  OpenBlock block;
  std::string_view rest = body;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    std::string shown = block.read(line) ? lowered_heading(line) : std::string(line);
    section.append(shown).append("\n");
    std::string closed = section;
    closed.append(block.closing());
    if (!fits(closed, room)) {
      break;
    }
    if (rest.empty()) {
      return closed;
    }
    closed.append(goes_on);
    if (fits(closed, room)) {
      kept = std::move(closed);
    }
  }
  if (!kept.empty()) {
    return kept;
  }
  // Not even the first line fits: its beginning is better than nothing.
  const std::uint64_t frame =
      kHeading.size() + kLowerBy + std::string_view("…\n").size() + goes_on.size();
  std::string_view first = body;
  const bool room_left = room.bytes > frame && room.lines >= 3;
  const std::string_view beginning =
      room_left ? prefix(next_line(first), room.bytes - frame) : std::string_view{};
  OpenBlock first_block;
  if (beginning.empty() || !first_block.read(beginning) || !first_block.closing().empty()) {
    return pinned_pointer(note);
  }
  return std::string(kHeading).append(lowered_heading(beginning)).append("…\n").append(goes_on);
}

}  // namespace daybook::projection
