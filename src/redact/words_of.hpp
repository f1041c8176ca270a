// SPDX-License-Identifier: MIT
//
// A sentence -> its words, one by one, without the punctuation and quotes around them. Pure; points
// into the text.
#pragma once

#include "redact/characters.hpp"

#include <cstddef>
#include <string_view>

namespace daybook::redact {

struct SpokenWord {
  std::string_view text;  ///< empty: the text is at its end
  bool quoted = false;
  bool ends_sentence = false;
  bool ends_with_sign = false;  ///< a colon or an equals sign stands behind it
};

class WordsOf {
 public:
  explicit WordsOf(std::string_view text) : text_(text) {}

  SpokenWord next() {
    SpokenWord word;
    while (at_ < text_.size() && is_opening(text_[at_])) {
      word.quoted |= is(text_[at_], kQuote);
      ++at_;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is(text_[at_], kBlank) && !is_closing_quote()) {
      ++at_;
    }
    std::size_t end = at_;
    while (at_ < text_.size() && !is(text_[at_], kBlank)) {
      // Behind a closing quote only what ends a clause.
      if (!is(text_[at_], kQuote) && !is_punctuation(text_[at_])) {
        break;
      }
      note_end(word, text_[at_]);
      ++at_;
    }
    while (end > begin + 1 && is_punctuation(text_[end - 1])) {
      note_end(word, text_[end - 1]);
      --end;
    }
    word.text = text_.substr(begin, end - begin);
    return word;
  }

  std::string_view rest() const { return text_.substr(at_); }

 private:
  static bool is_opening(char c) {
    return is(c, kBlank | kQuote) || c == '*' || c == '(' || c == '\\';
  }

  static bool is_punctuation(char c) {
    return std::string_view(".,;:!?)*\\=]}|").find(c) != std::string_view::npos;
  }

  /// "don't" goes on behind its apostrophe.
  bool is_closing_quote() const {
    return is(text_[at_], kQuote) && !(text_[at_] == '\'' && at_ + 1 < text_.size() && at_ > 0 &&
                                       is(text_[at_ - 1], kLetter) && is(text_[at_ + 1], kLetter));
  }

  static void note_end(SpokenWord& word, char c) {
    word.ends_sentence |= c == '.' || c == '!' || c == '?';
    word.ends_with_sign |= c == ':' || c == '=';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace daybook::redact
