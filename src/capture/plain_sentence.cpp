// SPDX-License-Identifier: MIT
#include "capture/plain_sentence.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

bool is_unseen(char32_t c) {
  return c == 0xAD || c == 0x034F || c == 0x061C || c == 0x115F || c == 0x1160 ||
         (c >= 0x17B4 && c <= 0x17B5) || (c >= 0x180B && c <= 0x180F) ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0x2800 || c == 0x3164 ||
         (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
         (c >= 0xFFF9 && c <= 0xFFFD) || (c >= 0xE000 && c <= 0xF8FF) || c >= 0xE0000;
}

// --- markup --------------------------------------------------------------------------------------

/// What the sanitizer writes, to its last character: `<redacted:img src=x>` is none of it.
bool is_marker(std::string_view tag) {
  static constexpr std::array<std::string_view, 6> kMarkers{"<redacted>",
                                                            "<redacted:private-key>",
                                                            "<redacted:card>",
                                                            "<redacted:phone>",
                                                            "<redacted:email>",
                                                            "<redacted:ssn>"};
  return std::any_of(kMarkers.begin(), kMarkers.end(), [tag](std::string_view marker) {
    return tag.starts_with(marker);
  });
}

/// `&lt;`, `&#124;`
bool has_entity(std::string_view text) {
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '#')) {
      ++end;
    }
    if (end > at + 1 && end < text.size() && text[end] == ';') {
      return true;
    }
  }
  return false;
}

bool begins_as_block(std::string_view text) {
  const std::size_t marks = std::min(text.find_first_not_of('#'), text.size());
  const bool heading = marks > 0 && (marks == text.size() || text[marks] == ' ');
  return heading || text.starts_with('>') || text.starts_with("---") || text.starts_with("===");
}

// --- sentences -----------------------------------------------------------------------------------

/// The word that ends before `dot`, with the dots inside it: `e.g` of `e.g.`.
std::string_view word_before(std::string_view text, std::size_t dot) {
  std::size_t start = dot;
  while (start > 0 && (is_letter(text[start - 1]) || text[start - 1] == '.')) {
    --start;
  }
  return text.substr(start, dot - start);
}

/// Whether the dot belongs to an abbreviation and `next`, what follows the blank, goes on with it.
bool is_abbreviation(std::string_view text, std::size_t dot, char next) {
  static constexpr std::array<std::string_view, 19> kAlways{"e.g",
                                                            "i.e",
                                                            "vs",
                                                            "cf",
                                                            "approx",
                                                            "ca",
                                                            "incl",
                                                            "resp",
                                                            "fig",
                                                            "sec",
                                                            "mr",
                                                            "mrs",
                                                            "ms",
                                                            "dr",
                                                            "st",
                                                            "eg",
                                                            "ie",
                                                            "viz",
                                                            "z.b"};
  static constexpr std::array<std::string_view, 6> kBeforeLower{
      "etc", "inc", "ltd", "co", "al", "corp"};
  static constexpr std::array<std::string_view, 3> kBeforeDigit{"no", "nr", "p"};
  const std::string word = lower(word_before(text, dot));
  const bool initial = word.size() == 1 && dot > 0 && !is_lower(text[dot - 1]);
  return initial || is_one_of(word, kAlways) || (is_lower(next) && is_one_of(word, kBeforeLower)) ||
         (is_digit(next) && is_one_of(word, kBeforeDigit));
}

/// Behind quotes and brackets that close what ends at `at`.
std::size_t after_closers(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 10> kClosers{
      "\"", "'", ")", "]", "`", "”", "’", "»", "」", "）"};
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view closer : kClosers) {
      if (text.substr(at).starts_with(closer)) {
        at += closer.size();
        found = true;
      }
    }
  }
  return at;
}

/// The length of the mark at `at` that ends a sentence when a blank follows; 0: none.
std::size_t narrow_end(std::string_view rest) {
  return rest.starts_with('.') || rest.starts_with('!') || rest.starts_with('?') ? 1
         : rest.starts_with("…")                                                 ? 3
                                                                                 : 0;
}

/// Those that need no blank behind them.
std::size_t wide_end(std::string_view rest) {
  static constexpr std::array<std::string_view, 4> kEnds{"。", "！", "？", "｡"};
  for (const std::string_view end : kEnds) {
    if (rest.starts_with(end)) {
      return end.size();
    }
  }
  return 0;
}

/// Behind the blanks at `at`, of whatever width.
std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const auto [c, size] = base::decode_utf8(text, at);
    if (!base::is_blank(c)) {
      break;
    }
    at += size;
  }
  return at;
}

/// `trip.Then`: a sentence begins directly behind the mark that ends another.
bool begins_at_once(std::string_view text, std::size_t mark, std::size_t next) {
  const bool word = mark >= 2 && is_lower(text[mark - 1]) && is_letter(text[mark - 2]);
  return word && next + 1 < text.size() && is_letter(text[next]) && !is_lower(text[next]) &&
         is_lower(text[next + 1]);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view without_list_mark(std::string_view text) {
  for (const std::string_view mark : {"- ", "* ", "+ ", "• "}) {
    if (text.starts_with(mark)) {
      return trimmed(text.substr(mark.size()));
    }
  }
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view after = text.substr(digits);
  const bool numbered =
      digits > 0 && digits <= 2 && (after.starts_with(". ") || after.starts_with(") "));
  return numbered ? trimmed(after.substr(2)) : text;
}

std::string_view without_quotes(std::string_view text) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Pair, 7> kPairs{Pair{"\"", "\""},
                                              Pair{"'", "'"},
                                              Pair{"“", "”"},
                                              Pair{"„", "“"},
                                              Pair{"«", "»"},
                                              Pair{"‘", "’"},
                                              Pair{"「", "」"}};
  for (const auto& [open, close] : kPairs) {
    if (text.size() > open.size() + close.size() && text.starts_with(open) &&
        text.ends_with(close)) {
      const std::string_view inside =
          text.substr(open.size(), text.size() - open.size() - close.size());
      const bool alone = inside.find(open) == std::string_view::npos &&
                         inside.find(close) == std::string_view::npos;
      return alone ? trimmed(inside) : text;
    }
  }
  return text;
}

bool has_hidden_character(std::string_view text, Lines lines) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, size] = base::decode_utf8(text, at);
    const bool allowed = lines == Lines::many && (c == '\n' || c == '\r' || c == '\t');
    if (!allowed && (is_control(c) || is_unseen(c))) {
      return true;
    }
    at += size;
  }
  return false;
}

bool has_line_end(std::string_view text) {
  return text.find_first_of("\n\r\v\f") != std::string_view::npos ||
         text.find("\xC2\x85") != std::string_view::npos ||
         text.find("\xE2\x80\xA8") != std::string_view::npos ||
         text.find("\xE2\x80\xA9") != std::string_view::npos;
}

bool has_html(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view tag = text.substr(at);
    const char next = tag.size() > 1 ? tag[1] : ' ';
    const bool opens = is_letter(next) || next == '/' || next == '!' || next == '?';
    if (opens && !is_marker(tag)) {
      return true;
    }
  }
  return false;
}

bool has_markup(std::string_view text) {
  for (const std::string_view mark : {"[[",
                                      "]]",
                                      "](",
                                      "][",
                                      "![",
                                      "[^",
                                      "```",
                                      "~~~",
                                      "|",
                                      "**",
                                      "~~",
                                      "%%",
                                      "$$",
                                      "://",
                                      "www."}) {
    if (text.find(mark) != std::string_view::npos) {
      return true;
    }
  }
  const auto backticks = std::count(text.begin(), text.end(), '`');
  return backticks % 2 != 0 || begins_as_block(text) || has_html(text) || has_entity(text);
}

bool has_several_sentences(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t wide = wide_end(text.substr(at));
    const std::size_t narrow = narrow_end(text.substr(at));
    if (wide == 0 && narrow == 0) {
      continue;
    }
    const std::size_t end = at + wide + narrow;
    const std::size_t closed = after_closers(text, end);
    if (wide > 0 && closed < text.size() && wide_end(text.substr(closed)) == 0) {
      return true;
    }
    if (narrow > 0 && begins_at_once(text, at, closed)) {
      return true;
    }
    const std::size_t second = after_blanks(text, closed);
    if (narrow == 0 || second == closed || second == text.size()) {
      continue;
    }
    const char next = text[second];
    const bool quoted = closed > end && is_lower(next);
    const bool abbreviated = text[at] == '.' && closed == end && is_abbreviation(text, at, next);
    if (!quoted && !abbreviated) {
      return true;
    }
  }
  return false;
}

std::string plain_words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c)) {
      out.push_back(c);
    } else if (c != '\'' && !out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  return lower(trimmed(out));
}

bool addresses_somebody(std::string_view text) {
  static constexpr std::array<std::string_view, 20> kPhrases{" you ",
                                                             " your ",
                                                             " yours ",
                                                             " yourself ",
                                                             " youre ",
                                                             " previous instructions ",
                                                             " prior instructions ",
                                                             " above instructions ",
                                                             " earlier instructions ",
                                                             " following instructions ",
                                                             " these instructions ",
                                                             " new instructions ",
                                                             " as an ai ",
                                                             " language model i ",
                                                             " i am sorry ",
                                                             " im sorry ",
                                                             " i apologize ",
                                                             " i cannot ",
                                                             " i cant ",
                                                             " i am unable "};
  const std::string words = " " + plain_words(text) + " ";
  return std::any_of(kPhrases.begin(), kPhrases.end(), [&words](std::string_view phrase) {
    return words.find(phrase) != std::string::npos;
  });
}

bool echoes(std::string_view text, std::string_view instructions) {
  constexpr std::size_t kRun = 6;
  const std::string words = plain_words(instructions);
  const std::string wanted = " " + plain_words(text) + " ";
  std::vector<std::size_t> starts{0};
  for (std::size_t at = words.find(' '); at != std::string::npos; at = words.find(' ', at + 1)) {
    starts.push_back(at + 1);
  }
  for (std::size_t first = 0; first + kRun <= starts.size(); ++first) {
    const std::size_t end = first + kRun < starts.size() ? starts[first + kRun] - 1 : words.size();
    const std::string run = " " + words.substr(starts[first], end - starts[first]) + " ";
    if (wanted.find(run) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace daybook::capture
