// SPDX-License-Identifier: MIT
#include "prose.hpp"

namespace daybook::bench {
namespace {

constexpr std::array<std::string_view, 10> kVerbs{"Reworked",
                                                  "Finished",
                                                  "Traced",
                                                  "Replaced",
                                                  "Simplified",
                                                  "Measured",
                                                  "Moved",
                                                  "Repaired",
                                                  "Designed",
                                                  "Reverted"};
constexpr std::array<std::string_view, 6> kJoints{"and found that",
                                                  "so that",
                                                  "after which",
                                                  "which means that",
                                                  "and agreed that",
                                                  "but left open whether"};
constexpr std::array<std::string_view, 8> kExtensions{
    ".cpp", ".hpp", ".ts", ".rs", ".py", ".md", ".json", ".yaml"};
constexpr std::array<std::string_view, 5> kFolders{"src", "lib", "packages", "tests", "internal"};
constexpr std::array<std::string_view, 5> kFences{
    "```cpp\n", "```ts\n", "```json\n", "```\n", "```python\n"};
constexpr std::array<std::string_view, 3> kSections{
    "## What was done\n\n", "## Decisions\n\n", "## Open points\n\n"};

constexpr double kForeignParagraphs = 0.03;

}  // namespace

Prose::Prose(Random random, std::string_view project_name)
    : vocabulary_(Vocabulary::instance()), random_(random), project_name_(project_name) {
  for (std::string_view& word : topic_) {
    word = vocabulary_.word(random_.between(500, Vocabulary::kWords - 1));
  }
}

std::string Prose::take() {
  std::string text = std::move(out_);
  out_.clear();
  return text;
}

// --- words ---------------------------------------------------------------------------------------

/// One draw decides both what kind of word it is (of 1,024 parts) and, if an ordinary one, which.
void Prose::word() {
  const std::uint64_t roll = random_.next();
  const std::uint64_t kind = roll & 1023U;
  if (kind < 20) {
    hex_id();
  } else if (kind < 51) {
    number();
  } else if (kind < 61) {
    path();
  } else if (kind < 122) {
    out_ += topic_[(roll >> 10U) % kTopicWords];
  } else {
    out_ += vocabulary_.drawn_by(static_cast<std::uint32_t>(roll >> (64U - Vocabulary::kSlotBits)));
  }
}

void Prose::hex_id() {
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::uint32_t length = random_.below(8) == 0 ? 40 : random_.between(7, 12);
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    bits = i % 16 == 0 ? random_.next() : bits >> 4U;
    out_ += kHex[bits & 15U];
  }
}

/// At most six digits in a row: longer ones would look like a telephone or a card.
void Prose::number() {
  switch (random_.below(4)) {
    case 0:
      out_ += std::to_string(random_.below(100));
      break;
    case 1:
      out_ += std::to_string(random_.below(1'000'000));
      break;
    case 2:
      out_ += std::to_string(random_.below(500)) + '.';
      out_ += std::to_string(random_.below(100));
      break;
    default:
      out_ += std::to_string(random_.below(101)) + '%';
  }
}

void Prose::path() {
  out_ += random_.pick(kFolders);
  for (std::uint32_t parts = random_.between(1, 2); parts > 0; --parts) {
    out_ += '/';
    plain_word();
  }
  out_ += random_.pick(kExtensions);
}

void Prose::capitalised_from(std::size_t start) {
  char& first = out_[start];
  if (first >= 'a' && first <= 'z') {
    first = static_cast<char>(first - 'a' + 'A');
  }
}

std::string Prose::label() {
  for (std::uint32_t words = random_.between(2, 4); words > 0; --words) {
    plain_word();
    out_ += words > 1 ? " " : "";
  }
  return take();
}

// --- sentences -----------------------------------------------------------------------------------

void Prose::sentence() {
  const std::size_t start = out_.size();
  for (std::uint32_t words = random_.between(5, 20); words > 0; --words) {
    word();
    if (words > 1) {
      out_ += words > 2 && random_.below(14) == 0 ? ", " : " ";
    }
  }
  capitalised_from(start);
  out_ += random_.below(20) == 0 ? '?' : '.';
}

void Prose::foreign_sentence(Language language) {
  const bool spaced = language != Language::chinese;
  const std::size_t start = out_.size();
  for (std::uint32_t words = random_.between(5, 16); words > 0; --words) {
    out_ += vocabulary_.draw_foreign(language, random_);
    out_ += spaced && words > 1 ? " " : "";
  }
  capitalised_from(start);
  out_ += spaced ? "." : "。";
}

std::string Prose::memory_sentence() {
  out_ += random_.pick(kVerbs);
  out_ += " the ";
  plain_word();
  out_ += ' ';
  plain_word();
  out_ += " in ";
  path();
  out_ += " for " + project_name_;
  if (random_.below(3) == 0) {
    out_ += " (#" + std::to_string(random_.between(1, 9'999)) + ")";
  }
  out_ += ' ';
  out_ += random_.pick(kJoints);
  const bool quoted = random_.below(20) == 0;  // an escape for whoever reads the frontmatter
  const bool foreign = random_.chance(kForeignParagraphs);
  out_ += quoted ? " \"" : " ";
  for (std::uint32_t words = random_.between(6, 18); words > 0; --words) {
    if (foreign) {
      out_ += vocabulary_.draw_foreign(Language::german, random_);
    } else {
      plain_word();
    }
    out_ += words > 1 ? " " : "";
  }
  out_ += quoted ? "\"." : ".";
  return take();
}

// --- blocks --------------------------------------------------------------------------------------

void Prose::paragraph() {
  const bool foreign = random_.chance(kForeignParagraphs);
  const auto language = static_cast<Language>(random_.below(kLanguages));
  for (std::uint32_t sentences = random_.between(1, 5); sentences > 0; --sentences) {
    if (foreign) {
      foreign_sentence(language);
    } else {
      sentence();
    }
    out_ += sentences > 1 ? " " : "\n\n";
  }
}

void Prose::heading(std::string_view marks) {
  out_ += marks;
  const std::size_t start = out_.size();
  out_ += random_.pick(topic_);
  for (std::uint32_t words = random_.between(1, 4); words > 0; --words) {
    out_ += ' ';
    plain_word();
  }
  capitalised_from(start);
  out_ += "\n\n";
}

void Prose::bullets() {
  for (std::uint32_t items = random_.between(2, 5); items > 0; --items) {
    out_ += "- ";
    if (random_.below(4) == 0) {
      out_ += '`';
      path();
      out_ += "`: ";
    }
    sentence();
    out_ += '\n';
  }
  out_ += '\n';
}

void Prose::code_line() {
  for (std::uint32_t depth = random_.below(3); depth > 0; --depth) {
    out_ += "  ";
  }
  plain_word();
  out_ += random_.below(2) == 0 ? "_" : ".";
  plain_word();
  const bool call = random_.below(2) == 0;
  out_ += call ? "(" : "[i] += ";
  word();
  out_ += call ? ");\n" : ";\n";
}

void Prose::code_block(Shell shell) {
  if (shell == Shell::allowed && random_.below(16) == 0) {
    // A shell test is no link, but only a markdown parser can tell.
    out_ += "```bash\nif [[ -f ";
    path();
    out_ += " ]]; then\n  exit 1\nfi\n```\n\n";
    return;
  }
  out_ += random_.pick(kFences);
  for (std::uint32_t lines = random_.between(2, 9); lines > 0; --lines) {
    code_line();
  }
  out_ += "```\n\n";
}

void Prose::block(Shell shell) {
  switch (random_.below(8)) {
    case 0:
      bullets();
      break;
    case 1:
      code_block(shell);
      break;
    default:
      paragraph();
  }
}

// --- bodies --------------------------------------------------------------------------------------

std::string Prose::summary(std::size_t bytes, const std::vector<std::string>& links) {
  heading("# ");
  paragraph();
  for (std::size_t i = 0; i < kSections.size(); ++i) {
    out_ += kSections[i];
    bullets();
    while (out_.size() < bytes * (i + 1) / kSections.size()) {
      block(Shell::no);
    }
  }
  if (!links.empty()) {
    out_ += "## Related\n\n";
    for (const std::string& link : links) {
      out_ += "- " + link + '\n';
    }
  }
  return take();
}

std::string Prose::compaction(std::size_t bytes) {
  heading("# Compaction: ");
  do {
    heading("## ");
    bullets();
    paragraph();
  } while (out_.size() < bytes);
  return take();
}

std::string Prose::transcript(std::size_t bytes) {
  do {
    out_ += "## User\n\n";
    sentence();
    out_ += "\n\n## Assistant\n\n";
    std::uint32_t blocks = random_.between(1, 6);
    do {
      block(Shell::allowed);
    } while (--blocks > 0 && out_.size() < bytes);
  } while (out_.size() < bytes);
  return take();
}

}  // namespace daybook::bench
