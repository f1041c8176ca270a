// SPDX-License-Identifier: MIT
//
// What a person typed -> an expression that FTS5 accepts, whatever was typed. Several words: all of
// them; "words in quotes": side by side; word*: beginning so; -word: without it; a OR b: either.
// What FTS5 takes for several words (a-b, path/to/file.cpp) is looked for side by side; what holds
// no word (++) is ignored. No syntax errors: every term is quoted. Values; any thread.
#pragma once

#include "daybook/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

/// So many terms of a query count; the others are ignored.
inline constexpr std::size_t kMostTerms = 64;
/// So many bytes of a query are read.
inline constexpr std::size_t kLongestQuery = 4096;

struct SearchTerm {
  enum class Match : std::uint8_t { whole, prefix };
  std::vector<std::string> words;  ///< folded as the full text holds them; one, or a phrase
  Match match = Match::whole;      ///< of the last word

  bool operator==(const SearchTerm&) const = default;
};

class SearchQuery {
 public:
  static Result<SearchQuery> parse(std::string_view typed);

  /// No term to look for: finds nothing. A query of `-word`s alone is empty, too.
  bool is_empty() const { return terms_.empty(); }
  /// What is looked for, without what is excluded; for snippets.
  const std::vector<SearchTerm>& terms() const { return terms_; }
  /// For MATCH; not when empty.
  const std::string& expression() const { return expression_; }
  /// How many phrases FTS5 counts in it: a term each, excluded ones as well.
  std::size_t phrases() const { return phrases_; }

 private:
  std::vector<SearchTerm> terms_;
  std::string expression_;
  std::size_t phrases_ = 0;
};

}  // namespace daybook::index
