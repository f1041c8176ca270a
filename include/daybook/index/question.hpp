// SPDX-License-Identifier: MIT
//
// A question in plain language -> the words worth looking for. Words that say nothing (the, was,
// how) are left out, and of the others what they share with their inflections is looked for, so
// that "caching" finds "cached". Words are split as the full text splits them. Values; any thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/search_query.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

/// So many different telling words of a question count, the first ones.
inline constexpr std::size_t kMostQuestionTerms = 32;
/// As much of a question is read.
inline constexpr std::size_t kLongestQuestion = std::size_t{64} * 1024;

struct QuestionTerm {
  std::string word;  ///< as it was asked, folded
  std::string stem;  ///< what its inflections begin with; the word itself if it is looked for whole
  SearchTerm::Match match = SearchTerm::Match::whole;

  bool operator==(const QuestionTerm&) const = default;
};

class Question {
 public:
  static Result<Question> parse(std::string_view asked);

  bool is_empty() const { return terms_.empty(); }
  /// It holds more than counts.
  bool is_cut() const { return cut_; }
  const std::vector<QuestionTerm>& terms() const { return terms_; }
  /// The same for snippets.
  std::vector<SearchTerm> search_terms() const;

 private:
  std::vector<QuestionTerm> terms_;
  bool cut_ = false;
};

/// A word by which nobody means a thing: an article, a pronoun, an auxiliary, a question word, in
/// English or French. Folded words only.
bool is_empty_word(std::string_view word);

/// What the inflections of an English word begin with; of one that is short, or not of ASCII
/// letters, the word itself. Folded words only.
std::string_view stem_of(std::string_view word);

}  // namespace daybook::index
