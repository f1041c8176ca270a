// SPDX-License-Identifier: MIT
#include "daybook/index/question.hpp"

#include "daybook/store/fts5.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace daybook::index {
namespace {

/// Sorted; without accents, as the full text folds words.
constexpr auto kEmptyWords = std::to_array<std::string_view>(
    {"a",     "about",   "after",    "again",  "all",    "already", "also",  "am",     "an",
     "and",   "any",     "anything", "are",    "as",     "at",      "au",    "aux",    "avec",
     "be",    "because", "been",     "before", "being",  "but",     "by",    "can",    "ce",
     "ces",   "could",   "d",        "dans",   "de",     "des",     "did",   "do",     "does",
     "doing", "don",     "done",     "du",     "during", "each",    "en",    "est",    "et",
     "ever",  "every",   "few",      "for",    "from",   "get",     "got",   "had",    "has",
     "have",  "having",  "he",       "her",    "here",   "him",     "his",   "how",    "i",
     "if",    "il",      "in",       "into",   "is",     "it",      "its",   "je",     "just",
     "kept",  "l",       "la",       "le",     "les",    "ll",      "made",  "make",   "me",
     "more",  "most",    "my",       "no",     "not",    "of",      "off",   "on",     "once",
     "one",   "only",    "or",       "other",  "ou",     "our",     "out",   "over",   "par",
     "pour",  "que",     "qui",      "re",     "s",      "same",    "she",   "should", "so",
     "some",  "still",   "such",     "sur",    "t",      "than",    "that",  "the",    "their",
     "them",  "then",    "there",    "these",  "they",   "this",    "those", "to",     "too",
     "un",    "une",     "up",       "us",     "ve",     "very",    "vous",  "was",    "we",
     "were",  "what",    "when",     "where",  "which",  "while",   "who",   "whose",  "why",
     "will",  "with",    "would",    "wouldn", "you",    "your",    "yours"});
static_assert(std::is_sorted(kEmptyWords.begin(), kEmptyWords.end()));

}  // namespace

bool is_empty_word(std::string_view word) {
  return std::binary_search(kEmptyWords.begin(), kEmptyWords.end(), word);
}

std::string_view stem_of(std::string_view word) {
  // Longest first. What remains must still say something, so it has at least four letters.
  constexpr std::array<std::string_view, 26> kEndings{
      "izations", "ization", "ations", "ation", "ments", "ings", "ment", "ness", "able",
      "ible",     "ions",    "ance",   "ence",  "ing",   "ion",  "ies",  "ied",  "ers",
      "ors",      "ed",      "es",     "er",    "or",    "ly",   "e",    "s"};
  constexpr std::size_t kLeast = 4;
  const bool plain = std::all_of(
      word.begin(), word.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; });
  if (!plain) {
    return word;
  }
  for (const std::string_view ending : kEndings) {
    if (word.size() >= ending.size() + kLeast && word.ends_with(ending)) {
      word.remove_suffix(ending.size());
      break;
    }
  }
  // stopp-ed, y -> i: the doubled letter and the y are the inflection's.
  if (word.size() > kLeast && word[word.size() - 1] == word[word.size() - 2] &&
      word.back() != 's' && word.back() != 'l') {
    word.remove_suffix(1);
  }
  if (word.size() > kLeast && (word.back() == 'y' || word.back() == 'i')) {
    word.remove_suffix(1);
  }
  return word;
}

Result<Question> Question::parse(std::string_view asked) {
  TRY_ASSIGN(store::WordSplitter splitter, store::WordSplitter::make());
  Question question;
  std::set<std::string, std::less<>> known;
  const auto take = [&](std::string_view word, std::size_t, std::size_t) {
    if (is_empty_word(word)) {
      return store::Visit::next;
    }
    const std::string_view stem = stem_of(word);
    if (known.contains(stem)) {
      return store::Visit::next;
    }
    if (question.terms_.size() == kMostQuestionTerms) {
      question.cut_ = true;
      return store::Visit::stop;
    }
    known.emplace(stem);
    // A short word begins too many others.
    const bool inflects = stem.size() >= 4;
    question.terms_.push_back({std::string(word),
                               std::string(stem),
                               inflects ? SearchTerm::Match::prefix : SearchTerm::Match::whole});
    return store::Visit::next;
  };
  question.cut_ = asked.size() > kLongestQuestion;
  if (!splitter.each(asked.substr(0, kLongestQuestion), take)) {
    return Error{ErrorKind::io, "no memory to read the question", {}, {}};
  }
  return question;
}

std::vector<SearchTerm> Question::search_terms() const {
  std::vector<SearchTerm> terms;
  terms.reserve(terms_.size());
  for (const QuestionTerm& term : terms_) {
    terms.push_back({{term.stem}, term.match});
  }
  return terms;
}

}  // namespace daybook::index
