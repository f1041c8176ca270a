// SPDX-License-Identifier: MIT
#include "daybook/lineage/fallback_sentence.hpp"

#include "daybook/base/text_survey.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/sentence_gate.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace daybook::lineage {
namespace {

constexpr std::size_t kMostProjectWords = 4;
constexpr std::size_t kMostProjectCharacters = 60;
constexpr std::size_t kTellingWords = 4;  // a shorter heading is joined by what follows it

bool is_space(char32_t c) {
  return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Characters that nobody sees, or that turn the order of others around.
bool is_invisible(char32_t c) {
  return c == 0xAD || c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFD) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

/// One line of plain text: blanks and control characters are one blank each, what is not UTF-8 or
/// cannot be seen is gone.
std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, size] = base::decode_utf8(text, at);
    if (is_space(c)) {
      if (!out.empty() && out.back() != ' ') {
        out.push_back(' ');
      }
    } else if (!is_invisible(c)) {
      out.append(text.substr(at, size));
    }
    at += size;
  }
  if (out.ends_with(' ')) {
    out.pop_back();
  }
  return out;
}

bool has_words(std::string_view text) { return count_words(text) > 0; }

// --- markup --------------------------------------------------------------------------------------

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Without the marks of headings, quotes and list items that begin it.
std::string_view without_block_marks(std::string_view line) {
  line = trimmed(line);
  while (!line.empty()) {
    const std::size_t marks = std::min(line.find_first_not_of("#>"), line.size());
    const bool item =
        line.size() > 1 && line[1] == ' ' && (line[0] == '-' || line[0] == '*' || line[0] == '+');
    if (marks == 0 && !item) {
      break;
    }
    line = trimmed(line.substr(marks == 0 ? 1 : marks));
  }
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits > 0 && digits <= 3 && line.substr(digits).starts_with(". ")) {
    line = trimmed(line.substr(digits + 1));
  }
  return line;
}

/// `[[target|label]]` at `at`: what a reader sees of it.
std::optional<std::string_view> wikilink(std::string_view line, std::size_t at, std::size_t& end) {
  if (!line.substr(at).starts_with("[[")) {
    return std::nullopt;
  }
  const std::size_t close = line.find("]]", at);
  if (close == std::string_view::npos) {
    return std::nullopt;
  }
  end = close + 2;
  const std::string_view inside = line.substr(at + 2, close - at - 2);
  const std::size_t bar = inside.rfind('|');
  return bar == std::string_view::npos ? inside : inside.substr(bar + 1);
}

/// `[label](address)` at `at`: the label.
std::optional<std::string_view> link(std::string_view line, std::size_t at, std::size_t& end) {
  if (line[at] != '[') {
    return std::nullopt;
  }
  const std::size_t middle = line.find("](", at);
  const std::size_t close = middle == std::string_view::npos ? middle : line.find(')', middle);
  if (close == std::string_view::npos) {
    return std::nullopt;
  }
  end = close + 1;
  return line.substr(at + 1, middle - at - 1);
}

/// A tag such as `<b>` or `</details>` ends behind its `>`; a lone `<` is text.
std::size_t tag_end(std::string_view line, std::size_t at) {
  if (line[at] != '<' || at + 1 >= line.size()) {
    return at;
  }
  const char next = line[at + 1];
  const bool opens =
      base::is_word_character(static_cast<unsigned char>(next)) || next == '/' || next == '!';
  const std::size_t close = opens ? line.find('>', at) : std::string_view::npos;
  return close == std::string_view::npos ? at : close + 1;
}

/// Labels for links, no tags, no marks of emphasis and code.
std::string without_inline_marks(std::string_view line) {
  constexpr std::string_view kMarks = "*`~[]|<>\"";
  std::string out;
  out.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    std::optional<std::string_view> label = wikilink(line, at, end);
    if (!label) {
      label = link(line, at, end);
    }
    if (label) {
      std::copy_if(label->begin(), label->end(), std::back_inserter(out), [kMarks](char c) {
        return kMarks.find(c) == std::string_view::npos;
      });
      at = end;
    } else if (end = tag_end(line, at); end > at) {
      at = end;
    } else {
      const bool image = line.substr(at).starts_with("![");
      if (!image && kMarks.find(line[at]) == std::string_view::npos) {
        out.push_back(line[at]);
      }
      ++at;
    }
  }
  return out;
}

// --- the beginning of a body ---------------------------------------------------------------------

/// Headings that every summary has and that say nothing of this one.
bool is_generic(std::string_view heading) {
  static constexpr std::array<std::string_view, 18> kGeneric{"summary",
                                                             "session summary",
                                                             "session",
                                                             "transcript",
                                                             "session transcript",
                                                             "compaction",
                                                             "compaction summary",
                                                             "overview",
                                                             "context",
                                                             "notes",
                                                             "session notes",
                                                             "tl;dr",
                                                             "what happened",
                                                             "conversation",
                                                             "request",
                                                             "touched",
                                                             "outcome",
                                                             "error"};
  std::string folded = base::fold_case(heading);
  while (folded.ends_with(':') || folded.ends_with('.')) {
    folded.pop_back();
  }
  return std::find(kGeneric.begin(), kGeneric.end(), folded) != kGeneric.end();
}

/// Up to the first full stop that a blank follows, without it.
std::string_view first_sentence(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kStops{". ", "! ", "? ", "。", "！", "？"};
  std::size_t end = text.size();
  for (const std::string_view stop : kStops) {
    end = std::min(end, text.find(stop));
  }
  text = text.substr(0, end);
  static constexpr std::array<std::string_view, 7> kEnds{".", "!", "?", ":", ",", ";", "…"};
  const auto strip = [&text](std::string_view suffix) {
    if (!text.ends_with(suffix)) {
      return false;
    }
    text.remove_suffix(suffix.size());
    return true;
  };
  while (std::any_of(kEnds.begin(), kEnds.end(), strip)) {
  }
  return text;
}

/// The lines of a body that say something, one after the other: no code, no rules, no tables.
class TellingLines {
 public:
  explicit TellingLines(std::string_view body) : rest_(body) {}

  struct Line {
    std::string text;
    bool heading = false;
  };

  std::optional<Line> next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(base::find_line_end(rest_), rest_.size());
      const std::string_view raw = trimmed(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      const bool fence = raw.starts_with("```") || raw.starts_with("~~~");
      in_code_ = in_code_ != fence;
      if (fence || in_code_ || raw.starts_with('|')) {
        continue;
      }
      Line line{plain(without_inline_marks(without_block_marks(raw))), raw.starts_with('#')};
      if (has_words(line.text) && !is_generic(line.text)) {
        return line;
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
  bool in_code_ = false;
};

std::string lead_of(std::string_view body) {
  TellingLines lines(body.substr(0, kFallbackBodyBytes));
  const auto first = lines.next();
  if (!first) {
    return {};
  }
  std::string lead(first_sentence(first->text));
  if (first->heading && count_words(lead) < kTellingWords) {
    if (const auto second = lines.next()) {
      lead.append(": ").append(first_sentence(second->text));
    }
  }
  return has_words(lead) ? lead : std::string();
}

/// The first sentence below a heading of that name; empty if there is none.
std::string below_heading(std::string_view body, std::string_view heading) {
  body = body.substr(0, kFallbackBodyBytes);
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = std::min(body.find('\n', at), body.size());
    if (trimmed(body.substr(at, end - at)) == heading) {
      const auto line = TellingLines(body.substr(end)).next();
      return line && !line->heading ? std::string(first_sentence(line->text)) : std::string();
    }
    at = end + 1;
  }
  return {};
}

/// How a run ended that did not complete, as the summaries say it that Daybook makes itself. A
/// quote cannot forge it: its lines begin with another mark.
std::string_view ending_of(std::string_view body) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kEndings{{
      {"failed", "it failed"},
      {"interrupted", "it was interrupted"},
      {"cancelled", "it was cancelled"},
  }};
  constexpr std::string_view kStatus = "\nStatus: ";
  const std::size_t at = body.rfind(kStatus);
  for (const auto& [status, words] : kEndings) {
    if (at != std::string_view::npos && body.substr(at + kStatus.size()).starts_with(status)) {
      return words;
    }
  }
  return {};
}

// --- measure -------------------------------------------------------------------------------------

struct Measure {
  std::size_t words = 0;
  std::size_t characters = 0;
};

// Around them stand at most 16 words: the sentence stays below 48.
constexpr Measure kLoneLeadRoom{22, 200};
constexpr Measure kLeadRoom{18, 140};
constexpr Measure kOutcomeRoom{12, 100};

/// As many characters of a word that is too long as there is room for.
std::string_view cut_word(std::string_view word, Measure room) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < word.size() && characters < room.characters;
       ++characters) {
    const std::size_t next = end + base::decode_utf8(word, end).size;
    if (count_words(word.substr(0, next)) > room.words) {
      break;
    }
    end = next;
  }
  return word.substr(0, end);
}

/// Whole words as long as there is room, and an ellipsis for the rest. Scripts without blanks are
/// one long word and are cut between characters.
std::string cut(std::string_view text, Measure room) {
  constexpr std::size_t kLongWord = 30;
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const Measure needed{count_words(word), base::count_characters(word) + (out.empty() ? 0 : 1)};
    const bool fits = needed.words <= room.words && needed.characters <= room.characters;
    const std::string_view taken = fits                            ? word
                                   : needed.characters > kLongWord ? cut_word(word, room)
                                                                   : std::string_view{};
    if (!taken.empty()) {
      out.append(out.empty() ? "" : " ").append(taken);
    }
    if (!fits) {
      return out.append("…");
    }
    room.words -= needed.words;
    room.characters -= needed.characters;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string project_name(std::string_view project) {
  while (!project.empty() && (project.back() == '/' || project.back() == '\\')) {
    project.remove_suffix(1);
  }
  const std::size_t slash = project.find_last_of("/\\");
  const std::string name =
      plain(slash == std::string_view::npos ? project : project.substr(slash + 1));
  return has_words(name) ? cut(name, {kMostProjectWords, kMostProjectCharacters}) : std::string();
}

}  // namespace

std::string fallback_sentence(const FallbackFacts& facts) {
  const std::string project = project_name(facts.project);
  const std::string outcome = cut(below_heading(facts.body, "## Outcome"), kOutcomeRoom);
  const std::string lead = cut(lead_of(facts.body), outcome.empty() ? kLoneLeadRoom : kLeadRoom);
  // The file's name is the anchor that is there whatever the project and the body are called.
  const std::string file = std::string(to_string(facts.kind))
                               .append(".md of ")
                               .append(std::to_string(facts.body_bytes))
                               .append(" bytes");

  std::string sentence = project.empty() ? "A session without a project" : "Work on ";
  sentence.append(project);
  if (lead.empty()) {
    return sentence.append(" left a ")
        .append(file)
        .append(" without readable opening words, and no sentence was written for it.");
  }
  sentence.append(": ").append(lead);
  if (has_words(outcome) && outcome != lead) {
    sentence.append("; outcome: ").append(outcome);
  }
  if (const std::string_view ending = ending_of(facts.body); !ending.empty()) {
    sentence.append("; ").append(ending);
  }
  const std::string source = " (from its " + file + ").";
  if (count_words(sentence) + count_words(source) >= kLeastSentenceWords) {
    return sentence.append(source);
  }
  return sentence.append(" (opening words of its ")
      .append(file)
      .append(", as no sentence was written).");
}

}  // namespace daybook::lineage
