// SPDX-License-Identifier: MIT
#include "capture/answer_judge.hpp"

#include "capture/plain_sentence.hpp"
#include "capture/shown_markdown.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/parse/wikilinks.hpp"

namespace daybook::capture {
namespace {

constexpr std::size_t kLongestAnswer = std::size_t{4} * 1024;  // of one sentence, in bytes
constexpr std::size_t kMostCharacters = 400;                   // what a row of MEMORY.md shows
constexpr std::size_t kLongestSummary = std::size_t{16} * 1024;

Verdict refused(std::string why) { return {{}, std::move(why)}; }

/// What is looked for in the bytes as they came: the sanitizer would take some of it away.
std::string_view flaw_of_bytes(std::string_view answer, std::size_t most, Lines lines) {
  return answer.size() > most                                   ? "huge"
         : !base::is_valid_utf8(answer)                         ? "invalid-utf8"
         : trimmed(answer).empty()                              ? "empty"
         : lines == Lines::one && has_line_end(trimmed(answer)) ? "several-lines"
         : has_hidden_character(trimmed(answer), lines)         ? "control-characters"
                                                                : "";
}

bool repeats_the_question(std::string_view text, const Question& question) {
  return text.find(question.mark) != std::string_view::npos ||
         echoes(text, question.prompt.instructions);
}

std::string_view flaw_of_form(std::string_view sentence, const Question& question) {
  return has_markup(sentence)                                 ? "markup"
         : repeats_the_question(sentence, question)           ? "echo-of-instructions"
         : has_several_sentences(sentence)                    ? "several-sentences"
         : addresses_somebody(sentence)                       ? "addressed-to-a-reader"
         : base::count_characters(sentence) > kMostCharacters ? "too-long"
                                                              : "";
}

std::string flaws_of_content(std::string_view sentence, const lineage::SentenceContext& context) {
  std::string names;
  for (const lineage::SentenceFlaw flaw : lineage::sentence_flaws(sentence, context)) {
    names.append(names.empty() ? "" : ", ").append(lineage::to_string(flaw));
  }
  return names;
}

/// The inside of a fence that holds all of the text, else the text.
std::string_view without_fence(std::string_view text) {
  const std::size_t first_end = text.find('\n');
  if (!text.starts_with("```") || !text.ends_with("\n```") || first_end == std::string_view::npos ||
      first_end + 4 > text.size()) {
    return text;
  }
  const std::string_view inside = text.substr(first_end + 1, text.size() - first_end - 5);
  return inside.find("```") == std::string_view::npos ? trimmed(inside) : text;
}

bool has_wikilink(std::string_view text) {
  bool found = false;
  parse::find_wikilinks(text, [&found](const parse::Wikilink&) { found = true; });
  return found;
}

}  // namespace

Verdict judge_sentence(std::string_view answer,
                       const Question& question,
                       const lineage::SentenceContext& context,
                       const redact::Policy& policy) {
  if (const auto flaw = flaw_of_bytes(answer, kLongestAnswer, Lines::one); !flaw.empty()) {
    return refused(std::string(flaw));
  }
  const std::string safe = redact::sanitize(trimmed(answer), policy);
  const std::string_view sentence = without_quotes(without_list_mark(trimmed(safe)));
  if (const auto flaw = flaw_of_form(sentence, question); !flaw.empty()) {
    return refused(std::string(flaw));
  }
  if (std::string flaws = flaws_of_content(sentence, context); !flaws.empty()) {
    return refused(std::move(flaws));
  }
  return {std::string(sentence), {}};
}

Verdict judge_summary(std::string_view answer,
                      const Question& question,
                      const redact::Policy& policy) {
  if (const auto flaw = flaw_of_bytes(answer, kLongestSummary, Lines::many); !flaw.empty()) {
    return refused(std::string(flaw));
  }
  const std::string safe = redact::sanitize(answer, policy);
  const std::string_view summary = without_fence(trimmed(safe));
  if (summary.empty()) {
    return refused("empty");
  }
  if (repeats_the_question(summary, question)) {
    return refused("echo-of-instructions");
  }
  // A link of a model's making leads nowhere, pictures are fetched from anywhere, and comments hide
  // text from people, not from agents.
  const std::string shown = without_code(summary);
  if (has_wikilink(summary) || summary.find("<!--") != std::string_view::npos ||
      summary.find("%%") != std::string_view::npos || has_html(shown) ||
      has_link_definition(shown) || shown.find("![") != std::string::npos) {
    return refused("markup");
  }
  if (addresses_somebody(summary)) {
    return refused("addressed-to-a-reader");
  }
  return {std::string(summary), {}};
}

}  // namespace daybook::capture
