// SPDX-License-Identifier: MIT
#include "redact/private_keys.hpp"

#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostTitle = 64;    // "BEGIN ENCRYPTED PRIVATE KEY"
constexpr std::size_t kMostDashes = 256;  // before a title
constexpr std::size_t kTitleDashes = 5;
constexpr std::size_t kMostHeader = 256;     // "DEK-Info: …"
constexpr std::size_t kLeastBodyRun = 16;    // shorter ones could be words
constexpr std::size_t kLeastKeyRun = 40;     // of a line that has other text as well
constexpr std::size_t kMostKeyRun = 128;     // looked at, to tell
constexpr std::size_t kMostForeign = 64;     // characters between two runs of a key on one line
constexpr std::size_t kMostKeyLine = 65536;  // nobody's key has a longer line
constexpr std::size_t kMostWaiting = 256;    // characters of a line that may stand within a key
constexpr std::size_t kMostLineNumber = 7;   // digits
constexpr int kMostIdle = 8;                 // lines without a part of the key, until it is over

const char* skip_dashes(const char* at, const char* end, std::size_t most) {
  const char* const last = static_cast<std::size_t>(end - at) > most ? at + most : end;
  while (at < last && *at == '-') {
    ++at;
  }
  return at;
}

bool is_title(std::string_view text) {
  return std::all_of(
      text.begin(), text.end(), [](char c) { return is(c, kUpper | kDigit) || c == ' '; });
}

/// `-----BEGIN … PRIVATE KEY-----`, from the first of its dashes on.
struct Title {
  const char* begin = nullptr;  // of the last five dashes: a diff's own stands before them
  const char* end = nullptr;    // nullptr: there is none
};

Title read_title(const char* at, const char* end, std::string_view verb) {
  const char* p = skip_dashes(at, end, kMostDashes);
  const auto dashes = static_cast<std::size_t>(p - at);
  if (dashes < kTitleDashes - 1) {
    return {};
  }
  const char* const begin = p - std::min(dashes, kTitleDashes);
  p += p < end && *p == ' ' ? 1 : 0;
  std::string_view rest = between(p, end).substr(0, kMostTitle);
  if (!rest.starts_with(verb)) {
    return {};
  }
  rest = rest.substr(verb.size());
  const std::size_t closing = rest.find("----");
  const std::string_view title = rest.substr(0, closing);
  if (closing == std::string_view::npos || title.find("PRIVATE KEY") == std::string_view::npos ||
      !is_title(title)) {
    return {};
  }
  return {begin, skip_dashes(rest.data() + closing, end, kTitleDashes)};
}

/// The first title of this verb in a line.
Title find_title(std::string_view line, std::string_view verb) {
  const char* const end = line.data() + line.size();
  for (std::size_t at = line.find("----"); at != std::string_view::npos;
       at = line.find("----", at)) {
    const char* const dashes = line.data() + at;
    if (const Title title = read_title(dashes, end, verb); title.end != nullptr) {
      return title;
    }
    at = static_cast<std::size_t>(skip_dashes(dashes, end, line.size()) - line.data());
  }
  return {};
}

bool any(std::string_view text, CharClass wanted) {
  return std::any_of(text.begin(), text.end(), [wanted](char c) { return is(c, wanted); });
}

/// Base64 as in a key; not a word, a hash, a path.
bool is_key_run(std::string_view run, std::size_t least) {
  run = run.substr(0, kMostKeyRun);
  return run.size() >= least && any(run, kLower) && any(run, kUpper) &&
         (any(run, kDigit) || run.find('+') != std::string_view::npos) &&
         static_cast<std::size_t>(std::count(run.begin(), run.end(), '/')) * 8 <= run.size();
}

/// Blanks, quotes, plus signs, commas and escaped newlines between the lines of a key.
const char* skip_joints(const char* p, const char* end) {
  while (p < end && (is(*p, kBlank | kQuote) || *p == '+' || *p == ',' || *p == '\\')) {
    const bool escape = *p == '\\' && p + 1 < end && (p[1] == 'n' || p[1] == 'r' || p[1] == 't');
    p += escape ? 2 : 1;
  }
  return p;
}

/// To where a line of the key begins.
const char* skip_to_line(const char* p, const char* end) {
  const char* const line = skip_joints(p, end);
  const char* const text = skip_line_number(line, end);
  return text == line ? line : skip_joints(text, end);
}

/// The colon of a header that may stand before the body; nullptr: it is none.
const char* header_colon(const char* p, const char* end) {
  constexpr std::array<std::string_view, 6> kNames{
      "proc-type", "dek-info", "version", "comment", "hash", "charset"};
  const char* const name = run_end(p, end, kLetter | kHyphen, 24);
  const bool known = std::any_of(kNames.begin(), kNames.end(), [&](std::string_view header) {
    return equals_folded(between(p, name), header);
  });
  return known && name < end && *name == ':' ? name : nullptr;
}

/// Behind one line of base64, or behind a header before it; `p` itself if neither stands there.
const char* skip_body(const char* p, const char* end, bool& in_body) {
  const char* const run = run_end(p, end, kBase64);
  const char next = run < end ? *run : '\n';
  const bool ends = next == '\n' || next == '\\' || is(next, kQuote | kBlank) || next == '-';
  if (is_key_run(between(p, run), kLeastBodyRun) || (in_body && run > p && ends)) {
    in_body = true;
    return run;
  }
  const char* const name = in_body ? nullptr : header_colon(p, end);
  if (name == nullptr) {
    return p;
  }
  const std::string_view header = between(name, end).substr(0, kMostHeader);
  const std::size_t stop = header.find_first_of("\\\n\"");
  if (stop == std::string_view::npos && header.size() == kMostHeader) {
    return p;  // too long to be one
  }
  return header.data() + std::min(stop, header.size());
}

/// Where the key goes on behind something that is none of it, as `<br>`, `%0A` or the mark that a
/// tool put before each line; nullptr: nowhere near.
const char* further_on(const char* p, const char* end, bool in_body) {
  const char* const last =
      end - p > static_cast<std::ptrdiff_t>(kMostForeign) ? p + kMostForeign : end;
  while (p < last && *p != '\n') {
    if (in_body && read_title(p, end, "END ").end != nullptr) {
      return p;
    }
    const char* const run = run_end(p, end, kBase64, kMostKeyRun);
    if (is_key_run(between(p, run), kLeastKeyRun)) {
      return p;
    }
    p = std::max(run, p + 1);
  }
  return nullptr;
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

std::string_view without_number(std::string_view line) {
  const char* const end = line.data() + line.size();
  const char* const text = skip_line_number(line.data(), end);
  line.remove_prefix(static_cast<std::size_t>(text - line.data()));
  return line;
}

std::string_view without_line_marks(std::string_view line) {
  line.remove_prefix(wrapped_prefix(line));
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

/// Nothing that has a letter or a digit: blank lines, `...`.
bool is_gap(std::string_view line) {
  return line.size() <= kMostWaiting && !any(line, kAlnum | kOther);
}

/// Replaces what can only be of the key by its marker.
bool mark_runs(std::string& line, std::size_t least) {
  std::string out;
  const char* at = line.data();
  const char* const end = at + line.size();
  const char* copied = at;
  while (at < end) {
    const char* const run = run_end(at, end, kBase64);
    if (is_key_run(between(at, run), least)) {
      out.append(copied, at);
      out.append(kKeyMarker);
      copied = run;
    }
    at = run < end ? run + 1 : run;
  }
  if (copied == line.data()) {
    return false;
  }
  out.append(copied, end);
  line.swap(out);
  return true;
}

}  // namespace

Hit match_private_key(const Cursor& cursor) {
  const Title title = read_title(cursor.at, cursor.end, "BEGIN ");
  if (title.end == nullptr) {
    return {};
  }
  Hit hit;
  hit.marker = kKeyMarker;
  hit.shape = "private-key";
  hit.opens_key = true;
  bool in_body = false;
  const char* p = title.end;
  while (true) {
    const char* const line = skip_to_line(p, cursor.end);
    if (line >= cursor.end || *line == '\n') {
      break;
    }
    if (const Title end = read_title(line, cursor.end, "END "); end.end != nullptr) {
      p = end.end;
      hit.opens_key = false;
      break;
    }
    const char* body = skip_body(line, cursor.end, in_body);
    if (body == line) {
      body = further_on(line, cursor.end, in_body);
    }
    if (body == nullptr) {
      break;  // what follows is text, with the quote before it
    }
    p = body;
  }
  hit.keep = static_cast<std::size_t>(title.begin - cursor.at);
  hit.consume = static_cast<std::size_t>(p - title.begin);
  cursor.looked_at(p - cursor.at + static_cast<std::ptrdiff_t>(kMostForeign));
  return hit;
}

std::size_t behind_open_key(std::string_view line) {
  const std::size_t marker = line.rfind(kKeyMarker);
  if (marker == std::string_view::npos) {
    return std::string_view::npos;
  }
  const std::size_t behind = marker + kKeyMarker.size();
  const char* const end = line.data() + line.size();
  return skip_joints(line.data() + behind, end) == end ? behind : std::string_view::npos;
}

KeyLineVerdict OpenKey::judge(std::string& line) {
  if (line.size() > kMostKeyLine || line.find("-----BEGIN ") != std::string::npos) {
    return {KeyLine::outside, 0};
  }
  if (const Title title = find_title(line, "END "); title.end != nullptr) {
    return end_with(line,
                    static_cast<std::size_t>(title.begin - line.data()),
                    static_cast<std::size_t>(title.end - line.data()));
  }
  const KeyLine kind = among_text_ ? KeyLine::beside : judge_own_line(line);
  if (kind == KeyLine::inside) {
    idle_ = 0;
    return {kind, 0};
  }
  if (kind == KeyLine::beside) {
    among_text_ = true;
    const bool goes_on = body_lines_ > 0 && idle_ == 0;
    if (mark_runs(line, goes_on ? kLeastBodyRun : kLeastKeyRun)) {
      ++body_lines_;
      idle_ = 0;
      return {kind, 0};
    }
  }
  return {++idle_ > kMostIdle ? KeyLine::outside : kind, 0};
}

KeyLineVerdict OpenKey::end_with(std::string& line, std::size_t begin, std::size_t end) const {
  const std::string_view before = without_line_marks(std::string_view(line).substr(0, begin));
  if (is_base64(before) && (!among_text_ || end == line.size())) {
    return {KeyLine::ends_it, end};
  }
  mark_runs(line, kLeastBodyRun);
  return {KeyLine::outside, 0};
}

/// Of a line on which nothing but the key, and marks before it, may stand.
KeyLine OpenKey::judge_own_line(std::string_view line) {
  const std::string_view text = without_line_marks(line);
  const std::string_view marked = line.substr(line_marks(line));
  const bool has_number = without_number(marked).size() != marked.size();
  // The number of a blank line lost its tab with the blanks at the line's end.
  const bool only_number =
      numbered_ && body_lines_ == 0 && text.size() <= kMostLineNumber && is_number(text);
  if (text.empty() || only_number || is_gap(text)) {
    return line.size() <= kMostWaiting ? KeyLine::waits : KeyLine::beside;
  }
  // Behind a blank line, text may follow; unless all lines of this key are parted by one.
  const bool follows = idle_ == 0 || (spaced_ && idle_ == 1);
  // A short line with a number, as in `12:30`, is one of the key only if the others have theirs.
  const bool tail =
      body_lines_ > 0 && follows && has_number == numbered_ && looks_like_a_tail(text);
  const std::size_t least = body_lines_ == 0 || follows ? kLeastBodyRun : kLeastKeyRun;
  if (is_base64(text) && (is_key_run(text, least) || tail)) {
    spaced_ = spaced_ || (body_lines_ > 0 && idle_ > 0);
    ++body_lines_;
    numbered_ = has_number;
    return KeyLine::inside;
  }
  if (body_lines_ == 0 && header_colon(text.data(), text.data() + text.size()) != nullptr &&
      line.size() <= kMostWaiting) {
    numbered_ = has_number;
    return KeyLine::waits;
  }
  return KeyLine::beside;
}

}  // namespace daybook::redact
