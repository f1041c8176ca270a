// SPDX-License-Identifier: MIT
#include "daybook/lineage/sentence_gate.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace daybook::lineage {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_upper(c) || is_lower(c); }
bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}
bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }
bool has_letter(std::string_view text) { return std::any_of(text.begin(), text.end(), is_letter); }

std::string lower(std::string_view text) { return base::fold_case(text); }

/// CJK and full-width punctuation: separates words although it is no blank.
bool is_wide_punctuation(char32_t c) {
  return (c >= 0x3001 && c <= 0x303F && !base::is_unspaced_script(c)) ||
         (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20);
}

/// Cuts a sentence into tokens at blanks and around scripts that have none, whose letters can be
/// part of no identifier. `visit(token)` returns true to stop.
template <typename Visit>
bool any_token(std::string_view sentence, Visit visit) {
  std::size_t start = 0;
  for (std::size_t at = 0; at < sentence.size();) {
    const auto [c, size] = is_ascii(sentence[at])
                               ? base::DecodedCharacter{static_cast<unsigned char>(sentence[at]), 1}
                               : base::decode_utf8(sentence, at);
    if (base::is_blank(c) || is_wide_punctuation(c) || base::is_unspaced_script(c)) {
      if (at > start && visit(sentence.substr(start, at - start))) {
        return true;
      }
      start = at + size;
    }
    at += size;
  }
  return start < sentence.size() && visit(sentence.substr(start));
}

/// Without the quotes, brackets and punctuation around it. What begins a path, a package or an
/// issue number stays.
std::string_view bare(std::string_view token) {
  constexpr std::string_view kOpening = "\"'`([{<*_";
  constexpr std::string_view kClosing = "\"'`)]}>*_.,;:!?";
  while (!token.empty() && kOpening.find(token.front()) != std::string_view::npos) {
    token.remove_prefix(1);
  }
  while (!token.empty() && kClosing.find(token.back()) != std::string_view::npos) {
    token.remove_suffix(1);
  }
  return token;
}

// --- identifiers ---------------------------------------------------------------------------------

/// `DP-19`, `GH-7`: letters in capitals, a dash, a number.
bool is_tracker_key(std::string_view token) {
  const std::size_t dash = token.find('-');
  return dash != std::string_view::npos && dash >= 1 && is_upper(token.front()) &&
         std::all_of(token.begin(),
                     token.begin() + static_cast<std::ptrdiff_t>(dash),
                     [](char c) { return is_upper(c) || is_digit(c); }) &&
         all_digits(token.substr(dash + 1));
}

/// `#123`, `PR#45`, `owner/repo#7`
bool is_issue_number(std::string_view token) {
  const std::size_t hash = token.find('#');
  return hash != std::string_view::npos && all_digits(token.substr(hash + 1));
}

/// An abbreviated or whole commit: hexadecimal with digits and letters both.
bool is_commit(std::string_view token) {
  return token.size() >= 7 && token.size() <= 40 && has_digit(token) && has_letter(token) &&
         std::all_of(token.begin(), token.end(), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'f');
         });
}

/// The words that make the number after them an identifier. Alone they identify nothing.
bool announces_identifier(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kWords{
      "issue", "issues", "pr", "prs", "task", "ticket", "bug", "request", "mr"};
  return std::find(kWords.begin(), kWords.end(), lower(word)) != kWords.end();
}

bool is_identifier(std::string_view previous, std::string_view token) {
  return is_tracker_key(token) || is_issue_number(token) || is_commit(token) ||
         (announces_identifier(previous) && has_digit(token));
}

// --- paths and packages --------------------------------------------------------------------------

/// Pairs of plain words that a slash joins without naming a path.
bool is_word_pair(std::string_view token) {
  static constexpr std::array<std::string_view, 16> kPairs{"and/or",
                                                           "either/or",
                                                           "read/write",
                                                           "input/output",
                                                           "i/o",
                                                           "n/a",
                                                           "w/o",
                                                           "yes/no",
                                                           "on/off",
                                                           "true/false",
                                                           "pass/fail",
                                                           "he/she",
                                                           "his/her",
                                                           "ci/cd",
                                                           "client/server",
                                                           "before/after"};
  return std::find(kPairs.begin(), kPairs.end(), lower(token)) != kPairs.end();
}

bool is_path(std::string_view token) {
  const std::size_t slash = token.find('/');
  if (slash == std::string_view::npos || is_word_pair(token)) {
    return false;
  }
  const std::string_view after = token.substr(slash + 1);
  const bool name_after = !all_digits(after) && std::any_of(after.begin(), after.end(), [](char c) {
    return is_alnum(c) || !is_ascii(c);
  });
  const bool name_before = slash > 0 && has_letter(token.substr(0, slash));
  const bool rooted = slash == 0 || token.front() == '.' || token.front() == '~';
  return name_after && (name_before || rooted);
}

/// `main.cpp`, `package.json`, `Node.js`; not `e.g` or `3.14`.
bool is_file_name(std::string_view token) {
  if (token.starts_with('.')) {
    return token.size() > 3 && is_letter(token[1]);  // `.gitignore`
  }
  const std::size_t dot = token.rfind('.');
  if (dot == std::string_view::npos || token.size() < 5) {
    return false;
  }
  const std::string_view extension = token.substr(dot + 1);
  return !extension.empty() && extension.size() <= 8 && is_letter(extension.front()) &&
         std::all_of(extension.begin(), extension.end(), is_alnum) && dot > 0 &&
         is_alnum(token[dot - 1]) && has_letter(token.substr(0, dot));
}

/// `snake_case`, `ns::name`, `call()`, `name@1.2`, `@scope`
bool is_code_name(std::string_view token) {
  for (std::size_t i = 1; i + 1 < token.size(); ++i) {
    if (token[i] == '_' && is_alnum(token[i - 1]) && is_alnum(token[i + 1])) {
      return true;
    }
  }
  const std::size_t at = token.find('@');
  const bool versioned = at != std::string_view::npos && at + 1 < token.size() &&
                         (is_digit(token[at + 1]) || at == 0) && has_letter(token);
  return versioned || (token.find("::") != std::string_view::npos && has_letter(token)) ||
         token.find("()") != std::string_view::npos;
}

// --- named components ----------------------------------------------------------------------------

enum class Position { first_word, later };

/// Does it look like a name rather than a word: `SQLite`, `fooBar`, `sha256`, `write-gate`, or a
/// capital that no sentence start explains?
bool looks_like_a_name(std::string_view token, Position position) {
  if (token.size() < 2 || !std::all_of(token.begin(), token.end(), is_ascii) ||
      !has_letter(token)) {
    return false;
  }
  const bool inner_capital = std::any_of(token.begin() + 1, token.end(), is_upper);
  const std::size_t dash = token.find('-');
  const bool hyphenated = dash != std::string_view::npos && dash > 0 && dash + 1 < token.size();
  const bool capitalised = is_upper(token.front()) && position == Position::later;
  return inner_capital || has_digit(token) || hyphenated || capitalised;
}

/// Whether a character makes one word of what stands beside it.
bool joins(char32_t c) {
  return c == '_' || (base::is_word_character(c) && !base::is_unspaced_script(c));
}

/// Whether `word` stands in `text` with no letter or digit directly beside it.
bool contains_word(std::string_view text, std::string_view word) {
  // Letters without case or blanks (Han, kana, …) stand directly beside names and do not join them.
  const auto joins_before = [text](std::size_t at) {
    return joins(base::decode_utf8(text, base::character_begin(text, at - 1)).code_point);
  };
  const bool word_starts = joins(base::decode_utf8(word, 0).code_point);
  const bool word_ends = joins(static_cast<unsigned char>(word.back()));
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool free_before = at == 0 || !word_starts || !joins_before(at);
    const bool free_after =
        end == text.size() || !word_ends || !joins(base::decode_utf8(text, end).code_point);
    if (free_before && free_after) {
      return true;
    }
  }
  return false;
}

std::string_view basename_of(std::string_view project) {
  while (!project.empty() && (project.back() == '/' || project.back() == '\\')) {
    project.remove_suffix(1);
  }
  const std::size_t slash = project.find_last_of("/\\");
  return slash == std::string_view::npos ? project : project.substr(slash + 1);
}

bool names_project(std::string_view sentence, std::string_view project) {
  const std::string_view name = basename_of(project);
  if (name.size() < 2) {
    return false;
  }
  const auto unspaced = [](std::string_view text) {
    return base::is_unspaced_script(base::decode_utf8(text, 0).code_point);
  };
  const std::string folded = lower(sentence);
  const std::string wanted = lower(name);
  return unspaced(wanted) ? folded.find(wanted) != std::string::npos
                          : contains_word(folded, wanted);
}

// --- form ----------------------------------------------------------------------------------------

bool ends_as_a_sentence(std::string_view sentence) {
  static constexpr std::array<std::string_view, 8> kEnds{".", "!", "?", "。", "！", "？", "…", "｡"};
  static constexpr std::array<std::string_view, 9> kClosers{
      "\"", "'", ")", "]", "`", "”", "’", "」", "）"};
  const auto strip = [&sentence](std::string_view suffix) {
    if (!sentence.ends_with(suffix)) {
      return false;
    }
    sentence.remove_suffix(suffix.size());
    return true;
  };
  while (strip(" ") || strip("\n") || strip("\r") || strip("\t") ||
         std::any_of(kClosers.begin(), kClosers.end(), strip)) {
  }
  return std::any_of(kEnds.begin(), kEnds.end(), [sentence](std::string_view end) {
    return sentence.ends_with(end);
  });
}

bool is_low_signal_template(std::string_view sentence) {
  static constexpr std::array<std::string_view, 8> kTemplates{"investigated issue",
                                                              "worked on task",
                                                              "reviewed code",
                                                              "fixed bug",
                                                              "made changes",
                                                              "updated files",
                                                              "session complete",
                                                              "session completed"};
  constexpr std::size_t kLongest = 32;  // no letter of them is shorter in another case
  const std::string_view whole = bare(sentence);
  if (whole.size() > kLongest) {
    return false;
  }
  const std::string folded = lower(whole);
  return std::find(kTemplates.begin(), kTemplates.end(), folded) != kTemplates.end();
}

bool is_empty(std::string_view sentence) {
  return sentence.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

std::string_view to_string(SentenceFlaw flaw) {
  static constexpr std::array<std::string_view, 6> kNames{"missing",
                                                          "too-few-words",
                                                          "too-many-words",
                                                          "no-terminal-punctuation",
                                                          "no-anchor",
                                                          "low-signal-template"};
  return kNames[static_cast<std::size_t>(flaw)];
}

std::size_t count_words(std::string_view sentence) {
  std::size_t words = 0;
  std::size_t unspaced_run = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < sentence.size();) {
    if (is_ascii(sentence[at])) {  // nearly all of nearly every sentence
      const char c = sentence[at++];
      unspaced_run = 0;
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        in_word = false;
      } else if (!in_word && is_alnum(c)) {
        in_word = true;
        ++words;
      }
      continue;
    }
    const auto [c, size] = base::decode_utf8(sentence, at);
    at += size;
    if (base::is_unspaced_script(c)) {
      if (unspaced_run % 2 == 0) {
        ++words;
      }
      ++unspaced_run;
      in_word = false;
      continue;
    }
    unspaced_run = 0;
    if (base::is_blank(c) || is_wide_punctuation(c)) {
      in_word = false;
    } else if (!in_word && base::is_word_character(c)) {
      in_word = true;
      ++words;
    }
  }
  return words;
}

bool has_anchor(std::string_view sentence, const SentenceContext& context) {
  // A sentence of 48 words is far shorter; these bounds keep hostile ones from costing anything.
  constexpr std::size_t kLongestLookedAt = 4096;
  constexpr std::size_t kMostLookups = kMostSentenceWords;
  sentence = sentence.substr(0, kLongestLookedAt);
  if (names_project(sentence, context.project)) {
    return true;
  }
  std::size_t lookups_left = kMostLookups;
  std::string_view previous;
  Position position = Position::first_word;
  return any_token(sentence, [&](std::string_view raw) {
    const std::string_view token = bare(raw);
    const bool found = is_identifier(previous, token) || is_path(token) || is_file_name(token) ||
                       is_code_name(raw) ||
                       (looks_like_a_name(token, position) && lookups_left > 0 &&
                        lookups_left-- > 0 && contains_word(context.session_text, token));
    previous = token;
    position = ends_as_a_sentence(raw) ? Position::first_word : Position::later;
    return found;
  });
}

std::vector<SentenceFlaw> sentence_flaws(std::string_view sentence,
                                         const SentenceContext& context) {
  if (is_empty(sentence)) {
    return {SentenceFlaw::missing};
  }
  std::vector<SentenceFlaw> flaws;
  const std::size_t words = count_words(sentence);
  if (words < kLeastSentenceWords) {
    flaws.push_back(SentenceFlaw::too_few_words);
  }
  if (words > kMostSentenceWords) {
    flaws.push_back(SentenceFlaw::too_many_words);
  }
  if (!ends_as_a_sentence(sentence)) {
    flaws.push_back(SentenceFlaw::no_terminal_punctuation);
  }
  if (!has_anchor(sentence, context)) {
    flaws.push_back(SentenceFlaw::no_anchor);
  }
  if (is_low_signal_template(sentence)) {
    flaws.push_back(SentenceFlaw::low_signal_template);
  }
  return flaws;
}

}  // namespace daybook::lineage
