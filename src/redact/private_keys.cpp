// SPDX-License-Identifier: MIT
#include "redact/private_keys.hpp"

#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostTitle = 64;       // "BEGIN ENCRYPTED PRIVATE KEY"
constexpr std::size_t kMostHeader = 256;     // "DEK-Info: …"
constexpr std::size_t kLeastBodyRun = 16;    // shorter ones could be words
constexpr std::size_t kMostKeyLine = 65536;  // nobody's key has a longer line
constexpr std::size_t kMostLineNumber = 7;   // digits

const char* skip_dashes(const char* at, const char* end) {
  while (at < end && *at == '-') {
    ++at;
  }
  return at;
}

bool is_title(std::string_view text) {
  return std::all_of(
      text.begin(), text.end(), [](char c) { return is(c, kUpper | kDigit) || c == ' '; });
}

/// Behind `-----BEGIN … PRIVATE KEY-----`, or nullptr.
const char* behind_title(const char* at, const char* end, std::string_view verb) {
  const char* p = skip_dashes(at, std::min(end, at + 5));
  if (p - at < 4) {
    return nullptr;
  }
  p += p < end && *p == ' ' ? 1 : 0;
  std::string_view rest = between(p, end).substr(0, kMostTitle);
  if (!rest.starts_with(verb)) {
    return nullptr;
  }
  rest = rest.substr(verb.size());
  const std::size_t dashes = rest.find("----");
  const std::string_view title = rest.substr(0, dashes);
  if (dashes == std::string_view::npos || title.find("PRIVATE KEY") == std::string_view::npos ||
      !is_title(title)) {
    return nullptr;
  }
  return skip_dashes(rest.data() + dashes, std::min(end, rest.data() + dashes + 5));
}

/// Blanks, quotes, plus signs, commas and escaped newlines between the lines of a key.
const char* skip_joints(const char* p, const char* end) {
  while (p < end && (is(*p, kBlank | kQuote) || *p == '+' || *p == ',' || *p == '\\')) {
    const bool escape = *p == '\\' && p + 1 < end && (p[1] == 'n' || p[1] == 'r' || p[1] == 't');
    p += escape ? 2 : 1;
  }
  return p;
}

/// Behind the number that a tool put before a line, with its mark: `2→`, `2:`, `2|`, `2` and a tab,
/// which a string may escape. `p` itself: there is none.
const char* skip_line_number(const char* p, const char* end) {
  constexpr std::array<std::string_view, 5> kMarks{"\t", ":", "|", "→", "\\u2192"};
  const char* const digits = run_end(p, end, kDigit, kMostLineNumber);
  if (digits == p) {
    return p;
  }
  const char* mark = digits;
  while (mark < end && *mark == '\\' && mark - digits < 8) {
    ++mark;
  }
  if (mark > digits && mark < end && *mark == 't') {
    return mark + 1;
  }
  mark = mark > digits ? mark - 1 : run_end(digits, end, kBlank, 1);
  for (const char* const place : {digits, mark}) {
    for (const std::string_view known : kMarks) {
      if (between(place, end).starts_with(known)) {
        return place + known.size();
      }
    }
  }
  return p;
}

/// To where a line of the key begins.
const char* skip_to_line(const char* p, const char* end) {
  const char* const line = skip_joints(p, end);
  const char* const text = skip_line_number(line, end);
  return text == line ? line : skip_joints(text, end);
}

/// Behind one line of base64, or behind a header before it; `p` itself if neither stands there.
const char* skip_body(const char* p, const char* end, bool& in_body) {
  const char* const run = run_end(p, end, kBase64);
  const char next = run < end ? *run : '\n';
  const bool ends = next == '\n' || next == '\\' || is(next, kQuote | kBlank) || next == '-';
  if (run - p >= static_cast<std::ptrdiff_t>(kLeastBodyRun) || (in_body && run > p && ends)) {
    in_body = true;
    return run;
  }
  if (in_body) {
    return p;
  }
  const char* const name = run_end(p, end, kLetter | kHyphen, 24);
  if (name == p || name >= end || *name != ':') {
    return p;
  }
  const std::string_view header = between(name, end).substr(0, kMostHeader);
  const std::size_t stop = header.find_first_of("\\\n\"");
  if (stop == std::string_view::npos && header.size() == kMostHeader) {
    return p;  // too long to be one
  }
  return header.data() + std::min(stop, header.size());
}

bool is_base64(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is(c, kBase64); });
}

/// The last line of a key may be short, but does not look like a word.
bool looks_like_a_tail(std::string_view text) {
  return !is(text.front(), kLetter) ||
         std::any_of(text.begin() + 1, text.end(), [](char c) { return !is(c, kLower); });
}

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is(c, kDigit); });
}

bool is_header(std::string_view text) {
  const char* const name = run_end(text.data(), text.data() + text.size(), kLetter | kHyphen, 24);
  return name > text.data() && name < text.data() + text.size() && *name == ':';
}

std::string_view without_number(std::string_view line) {
  const char* const end = line.data() + line.size();
  const char* const text = skip_line_number(line.data(), end);
  line.remove_prefix(static_cast<std::size_t>(text - line.data()));
  return line;
}

std::string_view without_line_marks(std::string_view line) {
  line.remove_prefix(std::min(line.size(), wrapped_prefix(line)));
  const std::string_view text = without_number(line);
  if (text.size() != line.size()) {
    line = text.substr(std::min(text.size(), wrapped_prefix(text)));
  }
  while (!line.empty()) {
    const char last = line.back();
    const bool escape =
        line.size() >= 2 && (last == 'n' || last == 'r') && line[line.size() - 2] == '\\';
    if (escape) {
      line.remove_suffix(2);
    } else if (is(last, kBlank | kQuote) || last == ',' || last == ';' || last == '\\' ||
               last == ')' ||
               (last == '+' && line.size() >= 2 && is(line[line.size() - 2], kBlank | kQuote))) {
      line.remove_suffix(1);
    } else {
      break;
    }
  }
  return line;
}

}  // namespace

Hit match_private_key(const Cursor& cursor) {
  const char* p = behind_title(cursor.at, cursor.end, "BEGIN ");
  if (p == nullptr) {
    return {};
  }
  Hit hit;
  hit.marker = kKeyMarker;
  hit.shape = "private-key";
  bool in_body = false;
  while (true) {
    const char* const line = skip_to_line(p, cursor.end);
    if (line >= cursor.end || *line == '\n') {
      hit.opens_key = true;
      p = line;
      break;
    }
    if (const char* const end = behind_title(line, cursor.end, "END "); end != nullptr) {
      p = end;
      break;
    }
    const char* const body = skip_body(line, cursor.end, in_body);
    if (body == line) {
      break;  // cut off; what follows is text, with the quote before it
    }
    p = body;
  }
  hit.consume = static_cast<std::size_t>(p - cursor.at);
  cursor.looked_at(p - cursor.at);
  return hit;
}

KeyLineVerdict OpenKey::judge(std::string_view line) {
  if (line.size() > kMostKeyLine) {
    return {};
  }
  const std::size_t dashes = line.find("----");
  if (dashes != std::string_view::npos && dashes < kMostHeader * 2) {
    const char* const end = behind_title(line.data() + dashes, line.data() + line.size(), "END ");
    const std::string_view before = without_line_marks(line.substr(0, dashes));
    if (end != nullptr && is_base64(before)) {
      return {KeyLine::ends_it, static_cast<std::size_t>(end - line.data())};
    }
    return {};
  }
  const std::string_view text = without_line_marks(line);
  const std::string_view marked = line.substr(wrapped_prefix(line));
  const bool has_number = without_number(marked).size() != marked.size();
  // The number of a blank line lost its tab with the blanks at the line's end.
  const bool only_number =
      numbered_ && body_lines_ == 0 && text.size() <= kMostLineNumber && is_number(text);
  if (text.empty() || only_number) {
    // Between headers and body there is a blank line; after the body it ends what was cut off.
    return {body_lines_ == 0 ? KeyLine::inside : KeyLine::outside, 0};
  }
  // A short line with a number, as in `12:30`, is one of the key only if the others have theirs.
  const bool tail = body_lines_ > 0 && has_number == numbered_;
  if (is_base64(text) && (text.size() >= kLeastBodyRun || (tail && looks_like_a_tail(text)))) {
    ++body_lines_;
    numbered_ = has_number;
    return {KeyLine::inside, 0};
  }
  if (body_lines_ == 0 && is_header(text)) {
    numbered_ = has_number;
    return {KeyLine::inside, 0};
  }
  return {};
}

}  // namespace daybook::redact
