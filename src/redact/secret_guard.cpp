// SPDX-License-Identifier: MIT
#include "daybook/redact/secret_guard.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "redact/characters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace daybook::redact {
namespace {

constexpr std::string_view kMarkerShape = "redaction-marker";
constexpr std::string_view kAssignmentShape = "secret-assignment";

enum class Announced : std::uint8_t {
  always,     ///< by a colon, an equals sign or "is"
  by_a_sign,  ///< by a colon or an equals sign: as words of a sentence they are something else
};

constexpr std::size_t kFarthestWord = 64;  // behind "is": no line is gone over twice

/// Words that end a name such as `MY_CLIENT_SECRET`, `x-api-key`, `githubAccessToken`.
struct Phrase {
  std::array<std::string_view, 3> words;  // the last ones first, the rest empty
  Announced announced;
};

constexpr std::array kPhrases{
    Phrase{{"token", "", ""}, Announced::always},
    Phrase{{"password", "", ""}, Announced::always},
    Phrase{{"passphrase", "", ""}, Announced::always},
    Phrase{{"passcode", "", ""}, Announced::always},
    Phrase{{"passwd", "", ""}, Announced::always},
    Phrase{{"key", "api", ""}, Announced::always},
    Phrase{{"key", "private", ""}, Announced::always},
    Phrase{{"key", "secret", ""}, Announced::always},
    Phrase{{"key", "access", ""}, Announced::by_a_sign},
    Phrase{{"secret", "client", ""}, Announced::always},
    Phrase{{"pat", "", ""}, Announced::by_a_sign},
    Phrase{{"pw", "", ""}, Announced::by_a_sign},
    Phrase{{"pwd", "", ""}, Announced::by_a_sign},
};

/// The same written as one word, whatever stands before it: `myapikey`.
constexpr std::array<std::string_view, 9> kGlued{"apikey",
                                                 "privatekey",
                                                 "secretkey",
                                                 "accesskey",
                                                 "clientsecret",
                                                 "token",
                                                 "password",
                                                 "passphrase",
                                                 "passwd"};

/// "The password is required" tells nobody what it is.
constexpr std::array<std::string_view, 19> kSaysNothing{"required",
                                                        "needed",
                                                        "optional",
                                                        "missing",
                                                        "stored",
                                                        "kept",
                                                        "rotated",
                                                        "expired",
                                                        "valid",
                                                        "invalid",
                                                        "used",
                                                        "passed",
                                                        "sent",
                                                        "read",
                                                        "asked",
                                                        "set",
                                                        "refreshed",
                                                        "cached",
                                                        "generated"};

struct Word {
  std::string_view text;
  /// Whether nothing but one `_`, `-`, `.` or blanks part it from the word before it.
  bool joined = false;
};

bool ends_folded(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && equals_folded(text.substr(text.size() - end.size()), end);
}

bool is_word_byte(char c) { return is(c, kAlnum | kOther); }

/// Goes over the text once, word by word, and looks at what follows each.
class NameScan {
 public:
  explicit NameScan(std::string_view text) : text_(text) {}

  bool finds_an_assignment() {
    while (next_word()) {
      if (is_announced()) {
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
    std::move_backward(words_.begin(), words_.end() - 1, words_.end());
    words_.front() = {text_.substr(begin, at_ - begin), joins(text_.substr(gap, begin - gap))};
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

  bool is_announced() const {
    const bool token = names(Announced::always);
    const bool sign_only = !token && names(Announced::by_a_sign);
    if (!token && !sign_only && !equals_folded(words_.front().text, "authorization")) {
      return false;
    }
    std::size_t at = at_;
    while (at < text_.size() && (is(text_[at], kBlank | kQuote) || text_[at] == '*' ||
                                 text_[at] == '\\' || text_[at] == ']')) {
      ++at;
    }
    const std::string_view rest = text_.substr(at);
    const bool sign = !rest.empty() && (rest.front() == ':' || rest.front() == '=');
    if (token || sign_only) {
      return (sign && !is_a_persons_name(rest) && !is_a_folder(rest)) ||
             (token && says_what_it_is(rest));
    }
    return is_bearer(sign ? rest.substr(1) : rest);
  }

  bool names(Announced announced) const {
    const auto matches = [&](const Phrase& phrase) {
      bool joined = true;
      for (std::size_t i = 0; i < phrase.words.size() && !phrase.words[i].empty(); ++i) {
        if (!joined || !equals_folded(words_[i].text, phrase.words[i])) {
          return false;
        }
        joined = words_[i].joined;
      }
      return phrase.announced == announced;
    };
    if (std::any_of(kPhrases.begin(), kPhrases.end(), matches)) {
      return true;
    }
    return announced == Announced::always &&
           std::any_of(kGlued.begin(), kGlued.end(), [&](std::string_view glued) {
             return ends_folded(words_.front().text, glued);
           });
  }

  /// "Pat: prefers concise reports" begins with a name, `pat: x` and `PAT=x` do not.
  bool is_a_persons_name(std::string_view rest) const {
    const auto begin = static_cast<std::size_t>(words_.front().text.data() - text_.data());
    return words_.front().text == "Pat" && rest.starts_with(": ") &&
           (begin == 0 || is(text_[begin - 1], kBlank) || text_[begin - 1] == '\n');
  }

  /// The shell's `pwd`: `PWD=/srv` says a path, "Run pwd: it prints the folder" what it does.
  bool is_a_folder(std::string_view rest) const {
    if (!equals_folded(words_.front().text, "pwd")) {
      return false;
    }
    const std::string_view value = next_run(rest.substr(1));
    if (value.empty() || std::string_view("/~.$").find(value.front()) != std::string_view::npos) {
      return !value.empty();
    }
    const std::string_view behind =
        rest.substr(static_cast<std::size_t>(value.data() - rest.data()) + value.size());
    return rest.starts_with(": ") && behind.size() > 1 && behind.front() == ' ' &&
           is(behind[1], kLetter) &&
           std::all_of(value.begin(), value.end(), [](char c) { return is(c, kLower); });
  }

  static bool says_what_it_is(std::string_view rest) {
    if (rest.size() < 3 || !equals_folded(rest.substr(0, 2), "is") || !is(rest[2], kBlank)) {
      return false;
    }
    const std::string_view value = next_run(rest.substr(2));
    return !value.empty() &&
           std::none_of(kSaysNothing.begin(), kSaysNothing.end(), [&](std::string_view word) {
             return equals_folded(value, word);
           });
  }

  static bool is_bearer(std::string_view rest) { return equals_folded(next_run(rest), "bearer"); }

  /// Behind blanks and quotes, the letters and digits up to anything else.
  static std::string_view next_run(std::string_view rest) {
    rest = rest.substr(0, kFarthestWord);
    std::size_t begin = 0;
    while (begin < rest.size() && is(rest[begin], kBlank | kQuote)) {
      ++begin;
    }
    std::size_t end = begin;
    while (end < rest.size() && !is(rest[end], kBlank | kQuote) && rest[end] != '\n') {
      ++end;
    }
    while (end > begin && (rest[end - 1] == '.' || rest[end - 1] == ',' || rest[end - 1] == ';')) {
      --end;
    }
    return rest.substr(begin, end - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::array<Word, 3> words_;  // the newest first
};

/// `<redacted>`, `<redacted:email>`, and how they look where angle brackets are neutralised.
bool has_marker(std::string_view text) {
  constexpr std::string_view kWordOfIt = "redacted";
  for (std::size_t at = 0; at + kWordOfIt.size() <= text.size(); ++at) {
    if (!is(text[at], kLetter) || !equals_folded(text.substr(at, kWordOfIt.size()), kWordOfIt)) {
      continue;
    }
    const std::string_view before = text.substr(0, at);
    if (before.ends_with('<') || before.ends_with("\u2039") || before.ends_with("&lt;")) {
      return true;
    }
  }
  return false;
}

std::optional<std::string_view> secret_as_written(std::string_view content,
                                                  const std::vector<std::string>& literals) {
  if (has_marker(content)) {
    return kMarkerShape;
  }
  Policy policy;
  policy.pii = Pii::kept;
  policy.literals = literals;
  Report report;
  sanitize(content, policy, &report);
  if (report.secrets > 0) {
    return report.findings.empty() ? kAssignmentShape : report.findings.front().shape;
  }
  if (NameScan(content).finds_an_assignment()) {
    return kAssignmentShape;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> secret_in(std::string_view content,
                                          const std::vector<std::string>& literals) {
  if (const auto shape = secret_as_written(content, literals)) {
    return shape;
  }
  // Whoever reads it sees no zero-width space, and takes a full-width letter for the letter.
  const std::string read = base::as_it_reads(content);
  return read == content ? std::nullopt : secret_as_written(read, literals);
}

}  // namespace daybook::redact
