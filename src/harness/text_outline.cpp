// SPDX-License-Identifier: MIT
#include "harness/text_outline.hpp"

#include "daybook/base/text_survey.hpp"
#include "daybook/base/utf8.hpp"
#include "harness/quoted_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daybook::harness {
namespace {

/// Cut between bytes, so that it does not matter in which pieces the text came.
void append_bounded(std::string& kept, std::string_view text) {
  kept += text.substr(0, kOutlineTextBytes - std::min(kOutlineTextBytes, kept.size()));
}

/// Bytes at the end that may be the beginning of a character.
std::size_t unfinished(std::string_view text) {
  const std::size_t most = std::min<std::size_t>(3, text.size());
  for (std::size_t back = 1; back <= most; ++back) {
    const auto c = static_cast<unsigned char>(text[text.size() - back]);
    if (c >= 0xC0) {
      const std::size_t size = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
      return size > back ? back : 0;
    }
    if (c < 0x80) {
      return 0;
    }
  }
  return 0;
}

/// Without blanks around it, and without half a character at the end.
std::string_view whole(std::string_view text) {
  return trimmed(text.substr(0, text.size() - unfinished(text)));
}

bool equal_word(std::string_view text, std::string_view word) {
  return text.size() == word.size() &&
         std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
         });
}

}  // namespace

void TextOutline::feed(std::string_view piece, std::string& out) {
  std::string text = std::move(cut_) + std::string(piece);
  cut_ = text.substr(text.size() - unfinished(text));
  text.resize(text.size() - cut_.size());
  outline_.replaced_bytes += repair_utf8(text);
  pass_on(text);
  out += text;
}

void TextOutline::finish(std::string& out) {
  outline_.replaced_bytes += repair_utf8(cut_);
  pass_on(cut_);
  out += cut_;
  end_line();
  end_segment();
  keep("");
  if (outline_.request.empty()) {
    outline_.request = first_paragraph_.empty() ? last_paragraph_ : first_paragraph_;
  }
  if (outline_.last_outcome.empty() && !roles_ && last_paragraph_ != outline_.request) {
    outline_.last_outcome = last_paragraph_;
  }
}

void TextOutline::pass_on(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = base::find_line_end(text);
    append_bounded(line_, text.substr(0, end));
    if (end == std::string_view::npos) {
      return;
    }
    end_line();  // CRLF ends a second, empty line, which a guess can bear
    text.remove_prefix(end + 1);
  }
}

void TextOutline::end_line() {
  static constexpr std::array<std::pair<std::string_view, Role>, 8> kWords{{
      {"user", Role::user},
      {"human", Role::user},
      {"you", Role::user},
      {"prompt", Role::user},
      {"assistant", Role::assistant},
      {"claude", Role::assistant},
      {"codex", Role::assistant},
      {"ai", Role::assistant},
  }};
  const std::string line = std::exchange(line_, {});
  outline_.lines += trimmed(line).empty() ? 0U : 1U;
  const std::size_t marks = std::min(line.find_first_not_of("#*> "), line.size());
  const std::string_view rest = std::string_view(line).substr(marks);
  const std::size_t end = std::min(rest.find_first_of(":* \t"), rest.size());
  const bool heading = line.starts_with('#');
  const std::string_view behind = rest.substr(end);
  const bool colon = behind.starts_with(":") || behind.starts_with("**:");
  for (const auto& [word, role] : kWords) {
    if (equal_word(rest.substr(0, end), word) && (colon || heading)) {
      const std::size_t text = std::min(behind.find_first_not_of(":* \t"), behind.size());
      speak(role, heading && !colon ? std::string_view() : behind.substr(text));
      return;
    }
  }
  keep(line);
}

void TextOutline::speak(Role role, std::string_view rest) {
  end_segment();
  role_ = role;
  roles_ = true;
  ++outline_.turns;
  keep(rest);
}

void TextOutline::keep(std::string_view line) {
  if (role_ != Role::none) {
    append_bounded(segment_, line);
    append_bounded(segment_, "\n");
    return;
  }
  if (!trimmed(line).empty()) {
    append_bounded(paragraph_, line);
    append_bounded(paragraph_, "\n");
  } else if (!paragraph_.empty()) {
    if (first_paragraph_.empty()) {
      first_paragraph_ = whole(paragraph_);
    }
    last_paragraph_ = whole(paragraph_);
    paragraph_.clear();
  }
}

void TextOutline::end_segment() {
  const std::string_view text = whole(segment_);
  if (!text.empty() && role_ == Role::user && outline_.request.empty()) {
    outline_.request = text;
  } else if (!text.empty() && role_ == Role::assistant) {
    outline_.last_outcome = text;
  }
  segment_.clear();
}

}  // namespace daybook::harness
