// SPDX-License-Identifier: MIT
//
// Random numbers -> markdown that looks like what coding agents leave behind: sentences, headings,
// lists, fenced code, paths, commit ids, numbers, now and then another language. One Prose writes
// for one session and keeps coming back to a few words of its own, as real sessions do. Never a
// `[[` but where a link or a shell test is meant. One Prose belongs to one thread.
#pragma once

#include "random.hpp"
#include "vocabulary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::bench {

class Prose {
 public:
  Prose(Random random, std::string_view project_name);

  /// 12 to 48 words, a full stop, the project's name and a path: passes the sentence gate.
  std::string memory_sentence();

  /// About `bytes` long; `links` are whole wikilinks to list at the end.
  std::string summary(std::size_t bytes, const std::vector<std::string>& links);
  std::string compaction(std::size_t bytes);
  /// Turns under `## User` and `## Assistant`.
  std::string transcript(std::size_t bytes);

  /// A few words, to label a link with.
  std::string label();

 private:
  void word();
  void plain_word() { out_ += vocabulary_.draw(random_); }
  void hex_id();
  void number();
  void path();
  void capitalised_from(std::size_t start);
  void sentence();
  void foreign_sentence(Language language);
  void paragraph();
  void heading(std::string_view marks);
  void bullets();
  enum class Shell : std::uint8_t { allowed, no };
  void code_block(Shell shell);
  void code_line();
  void block(Shell shell);
  std::string take();

  static constexpr std::size_t kTopicWords = 8;

  const Vocabulary& vocabulary_;
  Random random_;
  std::string project_name_;
  std::array<std::string_view, kTopicWords> topic_{};
  std::string out_;
};

}  // namespace daybook::bench
