// SPDX-License-Identifier: MIT
#include "harness/plain_quote.hpp"

#include "daybook/base/utf8.hpp"
#include "harness/quoted_text.hpp"

#include <cctype>
#include <vector>

namespace daybook::harness {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// `===` or `---` would make a heading of the line above, and `***` a rule.
bool is_underline(std::string_view line) {
  return line.find_first_not_of("=-*_ \t") == std::string_view::npos;
}

/// Whether a `<` before it waits for it: `<redacted>` is to look like one thing.
bool closes(std::string_view line, std::size_t at) {
  const std::size_t other = at > 0 ? line.find_last_of("<>", at - 1) : std::string_view::npos;
  return other != std::string_view::npos && line[other] == '<';
}

/// The look-alike of the character at `at`, empty if it may stay.
std::string_view look_alike(std::string_view line, std::size_t at) {
  const char before = at > 0 ? line[at - 1] : ' ';
  switch (line[at]) {
    case '[':
      return "［";
    case ']':
      return "］";
    case '`':
      return "'";
    case '<':
      return "‹";
    case '>':
      return closes(line, at) ? "›" : "";
    case '|':
      return "¦";
    case '~':
      return before == '~' || line.substr(at + 1, 1) == "~" ? "∼" : "";
    case '%':
      return before == '%' || line.substr(at + 1, 1) == "%" ? "％" : "";
    case '#':
      return is_word(before) ? "" : "＃";  // C# stays; a tag or heading does not
    case '/':
      return before == ':' || (before == '/' && at > 1 && line[at - 2] == ':') ? "∕" : "";
    case '.':
      return at >= 3 && line.substr(at - 3, 3) == "www" ? "．" : "";
    default:
      return "";
  }
}

std::string neutral(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view other = look_alike(line, at);
    other.empty() ? out.push_back(line[at]) : static_cast<void>(out.append(other));
  }
  return out;
}

/// The text's lines as append_quote divides them, without the quote's marks.
std::vector<std::string> lines_of(std::string_view text) {
  std::string quote;
  append_quote(text, quote);
  std::vector<std::string> lines;
  for (std::string_view rest = quote; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    lines.emplace_back(trimmed(rest.substr(1, end - 1)));
    rest.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::string plain_quote(std::string_view text, std::size_t most_characters) {
  // What is cut away is not worth looking at; four bytes are at most one character each.
  std::string whole(cut_bytes(trimmed(text), most_characters * 4 + 4));
  repair_utf8(whole);
  std::string out;
  std::size_t left = most_characters;
  bool gap = false;
  for (const std::string& line : lines_of(whole)) {
    if (line.empty() || is_underline(line)) {
      gap = !out.empty();
      continue;
    }
    if (left == 0) {
      out += "> …\n";
      break;
    }
    const std::string shown = one_line(line, left);
    out.append(gap ? ">\n" : "").append("> ").append(neutral(shown)).append("\n");
    const std::size_t characters = base::count_characters(shown);
    if (characters > left) {
      break;  // with its ellipsis
    }
    left -= characters;
    gap = false;
  }
  return out;
}

std::string plain_line(std::string_view text, std::size_t most_characters) {
  std::string whole(cut_bytes(trimmed(text), most_characters * 4 + 4));
  repair_utf8(whole);
  return neutral(one_line(whole, most_characters));
}

}  // namespace daybook::harness
