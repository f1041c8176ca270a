// SPDX-License-Identifier: MIT
#include "redact/told_value.hpp"

#include "redact/plain_words.hpp"
#include "redact/value_forms.hpp"
#include "redact/words_of.hpp"

#include <algorithm>

namespace daybook::redact {
namespace {

/// Small letters, with hyphens and apostrophes within.
bool is_small_word(std::string_view word) {
  return !word.empty() && is(word.front(), kLower) &&
         std::all_of(
             word.begin(), word.end(), [](char c) { return is(c, kLower | kHyphen) || c == '\''; });
}

/// The same, and its first letter may be a capital.
bool is_plain_word(std::string_view word) {
  return is_small_word(word) || (word.size() == 1 && is(word.front(), kLetter)) ||
         (word.size() > 1 && is(word.front(), kUpper) && is_small_word(word.substr(1)));
}

/// "30 days", "64 hex characters", "12-character".
bool is_quantity(std::string_view word, std::string_view next, std::string_view after_next) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  if (digits == 0) {
    return false;
  }
  return digits == word.size() ? is_unit(next) || (is_small_word(next) && is_unit(after_next))
                               : word[digits] == '-' && is_small_word(word.substr(digits + 1));
}

/// "Ana's": whose it is.
bool is_possessive(std::string_view word) {
  return word.size() > 3 && word.ends_with("'s") && is_plain_word(word.substr(0, word.size() - 2));
}

/// "30days", "1Password", "2026-11-18T20": a number, and what it is a number of.
bool is_numbered(std::string_view word) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  if (digits == 0) {
    return false;
  }
  std::string_view rest = word.substr(digits);
  const bool date = digits == 4 && rest.size() > 2 && rest[0] == '-' && is(rest[1], kDigit);
  rest.remove_prefix(rest.starts_with('-') ? 1 : 0);
  return date || is_unit(rest) || is_plain_word(rest);
}

/// Letters and digits together, as in what is made to be hard to guess; no name of a procedure, a
/// version, a variable, a path or a piece of code.
bool looks_chosen(std::string_view word) {
  constexpr std::size_t kLeast = 5;
  constexpr std::size_t kMost = 256;
  if (word.size() < kLeast || word.size() > kMost || !has_any(word, kDigit) ||
      !has_any(word, kLetter) || word.find_first_of("./(){}<>$") != std::string_view::npos) {
    return false;
  }
  const bool variable = has_only(word, kUpper | kDigit | kUnderscore) && has_any(word, kUnderscore);
  const bool version = to_lower(word[0]) == 'v' && has_only(word.substr(1), kDigit);
  return !variable && !version && !is_numbered(word) && !is_technical(word);
}

/// The rest of a sentence about a secret may tell it after all: "is not in the vault: hunter2",
/// "was changed to hunter2", "is the word `hunter2`".
bool goes_on_to_tell(WordsOf words, SpokenWord before) {
  constexpr int kFarthest = 16;
  for (int i = 0; i < kFarthest && !before.ends_sentence; ++i) {
    const SpokenWord word = words.next();
    if (word.text.empty()) {
      return false;
    }
    if (looks_chosen(word.text) &&
        (word.quoted || before.ends_with_sign || leads_to_value(before.text))) {
      return true;
    }
    before = word;
  }
  return false;
}

/// Behind the mark of a list's item: `- `, `1. `.
std::string_view behind_item_mark(std::string_view value) {
  const std::size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  const std::string_view mark = value.substr(0, value.find(' '));
  const bool numbered = digits > 0 && digits <= 2 && mark.size() == digits + 1 &&
                        (mark.back() == '.' || mark.back() == ')');
  const bool item = numbered || mark == "-" || mark == "*" || mark == "\u2022";
  return item && mark.size() < value.size() ? value.substr(mark.size() + 1) : value;
}

/// "The password is always", "…: never": what may go on with a sentence.
bool goes_on(std::string_view word, Secret secret, bool more) {
  if (is_function_word(word)) {
    return true;
  }
  if (secret < Secret::password && is_describing(word)) {
    return true;
  }
  // "testing" may be the password, "expiring soon" is not.
  const bool whole_answer = secret >= Secret::password && !more && word.ends_with("ing");
  return is_participle(word) && !whole_answer;
}

}  // namespace

bool tells_behind_sign(std::string_view rest, Secret secret, Telling telling) {
  const std::size_t begin = rest.find_first_not_of(' ');
  if (begin == std::string_view::npos) {
    return telling == Telling::any;
  }
  const std::string_view value = behind_item_mark(rest.substr(begin));
  if (is_reference(value) || is_placeholder(value, secret) || is_left_out(value)) {
    return false;
  }
  WordsOf words(value);
  const SpokenWord first = words.next();
  if (telling == Telling::chosen) {
    return looks_chosen(first.text);
  }
  if (is_code(value)) {
    return false;
  }
  if (is_no_value(first.text) || is_chord(first.text) || is_place(first.text) ||
      is_technical(first.text)) {
    return goes_on_to_tell(words, first);
  }
  if (secret == Secret::passphrase) {
    return true;
  }
  WordsOf ahead = words;
  const SpokenWord second = first.ends_sentence ? SpokenWord{} : ahead.next();
  const SpokenWord third = second.ends_sentence ? SpokenWord{} : ahead.next();
  const auto is_filling = [](const SpokenWord& word) {
    return is_function_word(word.text) || is_participle(word.text) || is_passed_over(word.text);
  };
  const bool opens = is_function_word(first.text) || is_request(first.text) ||
                     is_passed_over(first.text) || is_participle(first.text);
  // Several plain words: a password may be that, too, but not in the order of a sentence.
  const bool goes_on =
      secret < Secret::password
          ? !second.text.empty() && !looks_chosen(second.text)
          : is_plain_word(second.text) && (is_filling(second) || is_filling(third));
  const bool sentence = is_plain_word(first.text) && opens && goes_on;
  const bool state = is_plain_word(first.text) && is_state(first.text);
  if (sentence || state || is_quantity(first.text, second.text, third.text)) {
    return goes_on_to_tell(words, first);
  }
  return true;
}

bool tells_behind_verb(std::string_view rest, Secret secret, Telling telling) {
  const std::string_view value = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  if (is_reference(value) || is_placeholder(value, secret)) {
    return false;
  }
  WordsOf words(value);
  SpokenWord word = words.next();
  while (is_passed_over(word.text) && !word.ends_sentence) {
    word = words.next();
  }
  if (word.text.empty()) {
    return false;
  }
  if (telling == Telling::chosen) {
    return looks_chosen(word.text) || goes_on_to_tell(words, word);
  }
  WordsOf ahead = words;
  const SpokenWord second = word.ends_sentence ? SpokenWord{} : ahead.next();
  const SpokenWord third = second.ends_sentence ? SpokenWord{} : ahead.next();
  const bool goes_with_it =
      !word.quoted &&
      (is_possessive(word.text) ||
       (is_small_word(word.text) && goes_on(word.text, secret, !second.text.empty())));
  const bool no_secret = is_no_value(word.text) || is_place(word.text) || is_technical(word.text) ||
                         !has_any(word.text, kAlnum | kOther) ||
                         is_quantity(word.text, second.text, third.text);
  return !(goes_with_it || no_secret) || goes_on_to_tell(words, word);
}

bool tells_directly(std::string_view rest, Secret secret) {
  constexpr std::size_t kLeast = 20;
  if (!rest.starts_with(' ')) {
    return false;
  }
  const SpokenWord word = WordsOf(rest).next();
  if (secret >= Secret::password) {
    return looks_chosen(word.text);
  }
  const auto digits =
      std::count_if(word.text.begin(), word.text.end(), [](char c) { return is(c, kDigit); });
  return word.text.size() >= kLeast && digits >= 3 && has_only(word.text, kToken) &&
         looks_chosen(word.text);
}

bool tells_behind_purpose(std::string_view rest, Secret secret) {
  constexpr int kFarthest = 6;
  WordsOf words(rest);
  SpokenWord word = words.next();
  if (!is_preposition(word.text)) {
    return false;
  }
  const Telling telling = secret >= Secret::password ? Telling::any : Telling::chosen;
  for (int i = 0; i < kFarthest && !word.text.empty() && !word.ends_sentence; ++i) {
    if (equals_folded(word.text, "is") || equals_folded(word.text, "was") || word.text == "=") {
      return tells_behind_verb(words.rest(), secret, telling);
    }
    if (word.ends_with_sign) {
      return tells_behind_sign(words.rest(), secret, telling);
    }
    word = words.next();
  }
  return false;
}

}  // namespace daybook::redact
