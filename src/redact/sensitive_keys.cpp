// SPDX-License-Identifier: MIT
#include "redact/sensitive_keys.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostWords = 4;
constexpr std::size_t kMostRun = 48;  // letters and digits in a row; longer is no name

enum class Role : std::uint8_t {
  none,
  password,
  secret,
  cookie,
  authorization,
  key,  // with a word before it that says of what
  weak,
  login,      // weak, unless something stands before it in the same name
  qualifier,  // behind one that matters, in the same identifier: password_hash
  verb,       // behind one that matters, in a sentence: the password is
};

struct Word {
  std::string_view text;
  Role role;
};

constexpr std::array kWords{
    Word{"is", Role::verb},
    Word{"pw", Role::password},
    Word{"b64", Role::qualifier},
    Word{"dev", Role::qualifier},
    Word{"jwt", Role::secret},
    Word{"key", Role::key},
    Word{"new", Role::qualifier},
    Word{"old", Role::qualifier},
    Word{"pat", Role::weak},
    Word{"psk", Role::password},
    Word{"psw", Role::password},
    Word{"pwd", Role::password},
    Word{"raw", Role::qualifier},
    Word{"was", Role::verb},
    Word{"auth", Role::login},
    Word{"base", Role::qualifier},
    Word{"hash", Role::qualifier},
    Word{"live", Role::qualifier},
    Word{"main", Role::qualifier},
    Word{"pass", Role::password},
    Word{"prod", Role::qualifier},
    Word{"salt", Role::qualifier},
    Word{"test", Role::qualifier},
    Word{"plain", Role::qualifier},
    Word{"token", Role::secret},
    Word{"value", Role::qualifier},
    Word{"apikey", Role::secret},
    Word{"cookie", Role::cookie},
    Word{"passwd", Role::password},
    Word{"secret", Role::secret},
    Word{"default", Role::qualifier},
    Word{"current", Role::qualifier},
    Word{"passwort", Role::password},
    Word{"kennwort", Role::password},
    Word{"password", Role::password},
    Word{"passcode", Role::password},
    Word{"dbpass", Role::password},
    Word{"dbpwd", Role::password},
    Word{"mysqlpwd", Role::password},
    Word{"userpass", Role::password},
    Word{"mysqlpass", Role::password},
    Word{"smtppass", Role::password},
    Word{"rootpass", Role::password},
    Word{"adminpass", Role::password},
    Word{"authkey", Role::secret},
    Word{"privkey", Role::secret},
    Word{"accountkey", Role::secret},
    Word{"signingkey", Role::secret},
    Word{"passwords", Role::secret},  // often counted: the value must look like one
    Word{"subscriptionkey", Role::secret},
    Word{"secretaccesskey", Role::secret},
    Word{"accesskey", Role::secret},
    Word{"secretkey", Role::secret},
    Word{"secondary", Role::qualifier},
    Word{"primary", Role::qualifier},
    Word{"privatekey", Role::secret},
    Word{"credential", Role::secret},
    Word{"passphrase", Role::password},
    Word{"credentials", Role::secret},
    Word{"authorization", Role::authorization},
    Word{"contraseña", Role::password},
    Word{"plaintext", Role::qualifier},
    Word{"production", Role::qualifier},
};

constexpr std::array<std::string_view, 29> kWhoseKey{
    "api",      "secret",  "private",      "access", "auth",      "encryption",
    "signing",  "account", "subscription", "master", "service",   "deploy",
    "storage",  "shared",  "webhook",      "hmac",   "jwt",       "ssh",
    "function", "host",    "admin",        "rest",   "cipher",    "aes",
    "client",   "license", "app",          "server", "decryption"};

/// Last letters of the words above: most keys end otherwise.
constexpr std::array<bool, 256> kLastLetters = [] {
  std::array<bool, 256> letters{};
  for (const Word& word : kWords) {
    letters[static_cast<unsigned char>(word.text.back())] = true;
  }
  for (char digit = '0'; digit <= '9'; ++digit) {
    letters[static_cast<unsigned char>(digit)] = true;
  }
  return letters;
}();

constexpr std::size_t kLongestWord = 15;

/// Length and last letter, which few words share.
constexpr std::size_t end_of(std::string_view word) {
  return (word.size() << 5U) | (static_cast<unsigned char>(word.back()) & 31U);
}

/// The first word with this end, and behind each word the next one with the same end: places in
/// kWords, counted from 1; 0: there is none.
struct WordsByEnd {
  std::array<std::uint8_t, (kLongestWord + 1) * 32> first{};
  std::array<std::uint8_t, kWords.size() + 1> next{};
};

constexpr WordsByEnd kByEnd = [] {
  WordsByEnd words;
  for (std::size_t i = kWords.size(); i > 0; --i) {
    std::uint8_t& first = words.first[end_of(kWords[i - 1].text)];
    words.next[i] = first;
    first = static_cast<std::uint8_t>(i);
  }
  return words;
}();

/// `userpassword`, `MYSQLPASSWORD`, `apitoken`, `appsecret`: written as one word.
Role role_of_compact(std::string_view word) {
  constexpr std::array<Word, 5> kEndings{Word{"password", Role::password},
                                         Word{"passwd", Role::password},
                                         Word{"passphrase", Role::password},
                                         Word{"token", Role::secret},
                                         Word{"secret", Role::secret}};
  const char last = to_lower(word.back());
  for (const Word& ending : kEndings) {
    if (last == ending.text.back() && word.size() > ending.text.size() + 1 &&
        equals_folded(word.substr(word.size() - ending.text.size()), ending.text)) {
      return ending.role;
    }
  }
  return Role::none;
}

Role role_of(std::string_view word) {
  if (word.size() <= kLongestWord) {
    for (std::size_t i = kByEnd.first[end_of(word)]; i > 0; i = kByEnd.next[i]) {
      const Word& known = kWords[i - 1];
      if (known.text.size() == word.size() && equals_folded(word, known.text)) {
        return known.role;
      }
    }
  }
  const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return is(c, kDigit); });
  return digits ? Role::qualifier : role_of_compact(word);
}

bool is_whose(std::string_view word) {
  return std::any_of(kWhoseKey.begin(), kWhoseKey.end(), [word](std::string_view known) {
    return equals_folded(word, known);
  });
}

/// In `\\npassword` the n belongs to the backslash.
const char* behind_escape(const char* text_begin, const char* word, const char* end) {
  const bool escape = word > text_begin && word[-1] == '\\' && end - word > 1;
  return escape && (*word == 'n' || *word == 'r' || *word == 't') ? word + 1 : word;
}

/// Words from the end: camelCase, snake_case and blanks part them.
class WordsBackwards {
 public:
  WordsBackwards(const char* begin, const char* end) : begin_(begin), at_(end) {}

  /// Empty when there is none. `in_identifier()` then says how it hangs on the one behind it.
  std::string_view next() {
    if (count_ >= kMostWords) {
      return {};
    }
    if (count_ > 0 && !pass_joiner()) {
      return {};
    }
    const char* const end = at_;
    while (at_ > begin_ && is(at_[-1], kAlnum) &&
           end - at_ < static_cast<std::ptrdiff_t>(kMostRun)) {
      --at_;
      if (at_ > begin_ && is(at_[-1], kAlnum) && splits()) {
        break;
      }
    }
    ++count_;
    return between(behind_escape(begin_, at_, end), end);
  }

  bool in_identifier() const { return in_identifier_; }
  const char* at() const { return at_; }

 private:
  /// Does a word of camelCase begin here? apiKey, APIKey, key2.
  bool splits() const {
    const char before = at_[-1];
    const char here = *at_;
    if (is(here, kUpper)) {
      return is(before, kLower | kDigit) || (is(at_[1], kLower) && is(before, kUpper));
    }
    return is(here, kDigit) && is(before, kLetter);
  }

  bool pass_joiner() {
    if (at_ == begin_) {
      return false;
    }
    const char joiner = at_[-1];
    if (is(joiner, kAlnum)) {
      in_identifier_ = true;
      return true;
    }
    if ((joiner != '_' && joiner != '-' && joiner != '.' && joiner != ' ') || at_ - begin_ < 2 ||
        !is(at_[-2], kAlnum)) {
      return false;
    }
    in_identifier_ = joiner != ' ';
    --at_;
    return true;
  }

  const char* begin_;
  const char* at_;
  std::size_t count_ = 0;
  bool in_identifier_ = true;
};

KeyKind kind_of(Role role, WordsBackwards& words) {
  switch (role) {
    case Role::password:
      return KeyKind::password;
    case Role::secret:
      return KeyKind::secret;
    case Role::cookie:
      return KeyKind::cookie;
    case Role::authorization:
      return KeyKind::authorization;
    case Role::weak:
      return KeyKind::weak;
    case Role::login:
      return words.next().empty() || !words.in_identifier() ? KeyKind::weak : KeyKind::login;
    case Role::key: {
      const std::string_view whose = words.next();
      if (equals_folded(whose, "session") || equals_folded(whose, "cache")) {
        return KeyKind::none;  // the name of a session, as in a memory file; a hash of inputs
      }
      return !whose.empty() && is_whose(whose) ? KeyKind::secret : KeyKind::weak;
    }
    default:
      return KeyKind::none;
  }
}

const char* identifier_begin(const char* begin, const char* end) {
  const char* p = end;
  while (p > begin && is(p[-1], kTokenDot) && end - p < static_cast<std::ptrdiff_t>(4 * kMostRun)) {
    --p;
  }
  return behind_escape(begin, p, end);
}

}  // namespace

Key key_before(const char* text_begin, const char* key_end) {
  if (key_end == text_begin || !kLastLetters[static_cast<unsigned char>(to_lower(key_end[-1]))]) {
    return {};
  }
  WordsBackwards words(text_begin, key_end);
  std::string_view word = words.next();
  Role role = word.empty() ? Role::none : role_of(word);
  while (role == Role::qualifier || role == Role::verb) {
    word = words.next();
    if (word.empty() || (role == Role::qualifier) != words.in_identifier()) {
      return {};
    }
    role = role_of(word);
  }
  if (role == Role::none) {
    return {};
  }
  Key key;
  key.kind = kind_of(role, words);
  key.begin = identifier_begin(text_begin, key_end);
  key.end = key_end;
  const bool alone = static_cast<std::size_t>(key.end - key.begin) == word.size();
  if (equals_folded(word, "psk") && word.data() + word.size() != key_end) {
    key.kind = KeyKind::none;  // PSK_8 is a modulation
  }
  const bool pass = equals_folded(word, "pass");
  const bool hump = pass && !alone && word.data() > text_begin && is(word.data()[-1], kAlnum);
  key.hump = hump || (alone && (pass || equals_folded(word, "pw")));  // tests say `pass: 12`
  key.upper_case = std::none_of(key.begin, key.end, [](char c) { return is(c, kLower); });
  if (key.kind == KeyKind::login && !key.upper_case) {
    key.kind = KeyKind::weak;
  }
  return key;
}

KeyKind query_name(std::string_view name) {
  constexpr std::array<std::string_view, 8> kSure{"sig",
                                                  "signature",
                                                  "pass",
                                                  "sid",
                                                  "session",
                                                  "sessionid",
                                                  "x-amz-signature",
                                                  "x-goog-signature"};
  constexpr std::array<std::string_view, 4> kDoubtful{"key", "code", "auth", "state"};
  if (std::any_of(kSure.begin(), kSure.end(), [name](std::string_view known) {
        return equals_folded(name, known);
      })) {
    return KeyKind::secret;
  }
  if (std::any_of(kDoubtful.begin(), kDoubtful.end(), [name](std::string_view known) {
        return equals_folded(name, known);
      })) {
    return KeyKind::weak;
  }
  return key_before(name.data(), name.data() + name.size()).kind;
}

}  // namespace daybook::redact
