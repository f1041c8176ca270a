// SPDX-License-Identifier: MIT
#include "redact/announced.hpp"

#include "redact/told_value.hpp"
#include "redact/value_forms.hpp"
#include "redact/words_of.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace daybook::redact {
namespace {

constexpr std::size_t kFarthest =
    400;  // behind a name, so that nothing is gone over again and again

enum class Announced : std::uint8_t {
  always,     ///< by a sign or a verb
  by_a_sign,  ///< as words of a sentence they are something else, unless it looks like a secret
  if_chosen,  ///< a word of every day: only before what looks like a secret
};

struct Name {
  Announced announced;
  Secret secret;
};

/// Words that end a name such as `MY_CLIENT_SECRET`, `x-api-key`, `githubAccessToken`.
struct Phrase {
  std::array<std::string_view, 2> words;  // the last one first
  Name name;
};

using enum Announced;

constexpr std::array kPhrases{
    Phrase{{"token", ""}, {always, Secret::token}},
    Phrase{{"password", ""}, {always, Secret::password}},
    Phrase{{"passphrase", ""}, {always, Secret::passphrase}},
    Phrase{{"passcode", ""}, {always, Secret::password}},
    Phrase{{"passwd", ""}, {always, Secret::password}},
    Phrase{{"pw", ""}, {by_a_sign, Secret::password}},
    Phrase{{"pwd", ""}, {by_a_sign, Secret::password}},
    Phrase{{"key", "api"}, {always, Secret::key}},
    Phrase{{"key", "private"}, {always, Secret::key}},
    Phrase{{"key", "secret"}, {always, Secret::key}},
    Phrase{{"key", "access"}, {by_a_sign, Secret::key}},
    Phrase{{"secret", "client"}, {always, Secret::key}},
    Phrase{{"pat", ""}, {by_a_sign, Secret::key}},
    Phrase{{"secret", ""}, {if_chosen, Secret::key}},
    Phrase{{"pass", ""}, {if_chosen, Secret::password}},
};

struct Glued {
  std::string_view end;
  Secret secret;
};

/// The same written as one word, whatever stands before it: `myapikey`.
constexpr std::array<Glued, 9> kGlued{{{"apikey", Secret::key},
                                       {"privatekey", Secret::key},
                                       {"secretkey", Secret::key},
                                       {"accesskey", Secret::key},
                                       {"clientsecret", Secret::key},
                                       {"token", Secret::token},
                                       {"password", Secret::password},
                                       {"passphrase", Secret::passphrase},
                                       {"passwd", Secret::password}}};

struct Word {
  std::string_view text;
  /// Whether nothing but one `_`, `-`, `.` or blanks part it from the word before it.
  bool joined = false;
};

bool ends_folded(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && equals_folded(text.substr(text.size() - end.size()), end);
}

bool is_word_byte(char c) { return is(c, kAlnum | kOther); }

/// How many bytes of a sign begin the text; 0: none. `::` and `://` join names.
std::size_t sign_at(std::string_view rest) {
  const bool joins = rest.size() > 2 && rest.starts_with("::") && is_word_byte(rest[2]);
  if (joins || rest.starts_with("://")) {
    return 0;
  }
  for (const std::string_view sign : {":=", "=>", "==", "::", ":", "="}) {
    if (rest.starts_with(sign)) {
      return sign.size();
    }
  }
  return 0;
}

/// Arrows, dashes and the borders of tables part a name from its value, too, but most often other
/// things.
std::size_t weak_sign_at(std::string_view rest) {
  for (const std::string_view sign : {"->", "- ", "\u2192", "\u2013", "\u2014", "|", "\u00A6"}) {
    if (rest.starts_with(sign)) {
      return sign.size();
    }
  }
  return 0;
}

/// "is ", "was "; 0: none.
std::size_t verb_at(std::string_view rest, std::string_view verb) {
  const bool there = rest.size() > verb.size() &&
                     equals_folded(rest.substr(0, verb.size()), verb) &&
                     is(rest[verb.size()], kBlank);
  return there ? verb.size() : 0;
}

/// Goes over the text once, word by word, and looks at what follows each.
class NameScan {
 public:
  explicit NameScan(std::string_view text) : text_(text) {}

  bool finds_a_secret() {
    while (next_word()) {
      if (is_told()) {
        return true;
      }
    }
    return false;
  }

 private:
  bool next_word() {
    const std::size_t gap = at_;
    while (at_ < text_.size() && !is_word_byte(text_[at_])) {
      ++at_;
    }
    if (at_ == text_.size()) {
      return false;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_byte(text_[at_]) && !(at_ > begin && is_hump(at_))) {
      ++at_;
    }
    before_ = last_;
    last_ = {text_.substr(begin, at_ - begin), joins(text_.substr(gap, begin - gap))};
    return true;
  }

  /// `clientSecret`, `APIKey`.
  bool is_hump(std::size_t at) const {
    if (!is(text_[at], kUpper)) {
      return false;
    }
    return is(text_[at - 1], kLower | kDigit) ||
           (is(text_[at - 1], kUpper) && at + 1 < text_.size() && is(text_[at + 1], kLower));
  }

  static bool joins(std::string_view gap) {
    if (gap.size() == 1 && (gap.front() == '_' || gap.front() == '-' || gap.front() == '.')) {
      return true;
    }
    return std::all_of(gap.begin(), gap.end(), [](char c) { return is(c, kBlank); });
  }

  bool is_told() const {
    if (equals_folded(last_.text, "authorization")) {
      return is_bearer();
    }
    const auto name = name_here();
    if (!name) {
      return false;
    }
    const std::string_view rest = text_.substr(at_, kFarthest);
    const std::string_view behind = behind_quotes(rest);
    if (const std::size_t sign = sign_at(behind); sign > 0) {
      // `if (token == expected)` compares.
      const bool weak = name->announced == if_chosen || behind.starts_with("==");
      const Telling telling = weak ? Telling::chosen : Telling::any;
      return !is_a_persons_name(behind) &&
             tells_behind_sign(behind.substr(sign), name->secret, telling);
    }
    if (const std::size_t sign = weak_sign_at(behind); sign > 0) {
      return tells_behind_sign(behind.substr(sign), name->secret, Telling::chosen);
    }
    if (const std::size_t verb = verb_at(behind, "is"); verb > 0) {
      const Telling telling = name->announced == always ? Telling::any : Telling::chosen;
      return tells_behind_verb(behind.substr(verb), name->secret, telling);
    }
    for (const std::string_view verb : {"was", "equals", "remains"}) {
      if (verb_at(behind, verb) > 0) {
        return tells_behind_verb(behind.substr(verb.size()), name->secret, Telling::chosen);
      }
    }
    return tells_directly(rest, name->secret) || tells_behind_purpose(rest, name->secret);
  }

  /// What may stand between a name and its sign: the end of its markup, and a remark in brackets.
  static std::string_view behind_quotes(std::string_view rest) {
    constexpr std::size_t kLongestRemark = 40;
    const auto skip = [&rest] {
      while (!rest.empty() && (is(rest.front(), kBlank | kQuote) || rest.front() == '*' ||
                               rest.front() == '\\' || rest.front() == ']')) {
        rest.remove_prefix(1);
      }
    };
    skip();
    if (rest.starts_with('(')) {
      const std::size_t end = rest.substr(0, kLongestRemark).find(')');
      if (end != std::string_view::npos) {
        rest.remove_prefix(end + 1);
        skip();
      }
    }
    return rest;
  }

  std::optional<Name> name_here() const {
    for (const Phrase& phrase : kPhrases) {
      if (equals_folded(last_.text, phrase.words[0]) &&
          (phrase.words[1].empty() ||
           (last_.joined && equals_folded(before_.text, phrase.words[1])))) {
        return phrase.name;
      }
    }
    for (const Glued& glued : kGlued) {
      if (ends_folded(last_.text, glued.end)) {
        return Name{always, glued.secret};
      }
    }
    return std::nullopt;
  }

  /// "Pat: prefers concise reports" begins with a name, `pat: x` and `PAT=x` do not.
  bool is_a_persons_name(std::string_view rest) const {
    const auto begin = static_cast<std::size_t>(last_.text.data() - text_.data());
    return last_.text == "Pat" && rest.starts_with(": ") &&
           (begin == 0 || is(text_[begin - 1], kBlank));
  }

  /// "Authorization: Bearer tide", but not what says only that there is such a header.
  bool is_bearer() const {
    const std::string_view behind = behind_quotes(text_.substr(at_, kFarthest));
    WordsOf words(behind.substr(sign_at(behind)));
    const SpokenWord scheme = words.next();
    if (!equals_folded(scheme.text, "bearer")) {
      return false;
    }
    const std::string_view credentials = words.rest();
    const std::string_view word = words.next().text;
    constexpr std::array<std::string_view, 4> kSpeakOfIt{"header", "token", "tokens", "scheme"};
    const std::size_t begin = std::min(credentials.find_first_not_of(" \"'`"), credentials.size());
    return !is_reference(credentials) &&
           !is_placeholder(credentials.substr(begin), Secret::token) &&
           std::none_of(kSpeakOfIt.begin(), kSpeakOfIt.end(), [word](std::string_view known) {
             return equals_folded(word, known);
           });
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Word last_;
  Word before_;
};

}  // namespace

bool announces_secret(std::string_view text) { return NameScan(text).finds_a_secret(); }

}  // namespace daybook::redact
