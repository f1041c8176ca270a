// SPDX-License-Identifier: MIT
#include "redact/plain_words.hpp"

#include "redact/characters.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

template <std::size_t Count>
bool is_one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::any_of(words.begin(), words.end(), [word](std::string_view known) {
    return equals_folded(word, known);
  });
}

bool ends_with(std::string_view word, std::string_view end) {
  return word.size() >= end.size() && equals_folded(word.substr(word.size() - end.size()), end);
}

constexpr auto kPrepositions = std::to_array<std::string_view>(
    {"for", "of", "on", "to", "in", "at", "from", "with", "behind", "into", "via", "under"});

constexpr auto kFunctionWords = std::to_array<std::string_view>(
    {"a",      "an",       "the",       "this",      "that",    "these",   "those",   "its",
     "my",     "your",     "our",       "their",     "his",     "her",     "one",     "each",
     "every",  "any",      "some",      "no",        "such",    "another", "both",    "by",
     "within", "inside",   "without",   "above",     "below",   "near",    "outside", "beside",
     "beyond", "between",  "after",     "before",    "until",   "during",  "per",     "like",
     "about",  "over",     "through",   "not",       "never",   "neither", "nothing", "nobody",
     "here",   "there",    "somewhere", "elsewhere", "nowhere", "out",     "up",      "down",
     "off",    "what",     "where",     "when",      "how",     "who",     "which",   "whose",
     "why",    "whatever", "if",        "because",   "and",     "or",      "it",      "they",
     "we",     "you",      "i",         "is",        "are",     "was",     "must",    "should",
     "may",    "can",      "cannot",    "will",      "do",      "don't",   "does",    "has"});

constexpr auto kPassedOver = std::to_array<std::string_view>(
    {"always",   "now",  "still",  "currently", "just",      "simply",   "only",  "also",
     "again",    "then", "today",  "really",    "actually",  "usually",  "often", "already",
     "probably", "most", "likely", "likewise",  "therefore", "typically"});

constexpr auto kRequests = std::to_array<std::string_view>(
    {"see",    "ask",    "check",   "use",   "keep",   "store",    "read",  "take",    "get",
     "rotate", "pass",   "put",     "look",  "create", "generate", "make",  "write",   "send",
     "add",    "remove", "call",    "run",   "find",   "set",      "give",  "leave",   "refresh",
     "renew",  "revoke", "expires", "lives", "comes",  "goes",     "needs", "belongs", "stays",
     "means",  "two",    "three",   "none",  "let",    "say",      "open",  "enter",   "type",
     "click",  "choose", "go",      "try",   "follow", "wait"});

constexpr auto kStates = std::to_array<std::string_view>(
    {"required", "needed", "optional",  "missing",   "stored",    "kept",      "rotated",
     "expired",  "valid",  "invalid",   "used",      "passed",    "sent",      "read",
     "asked",    "set",    "refreshed", "cached",    "generated", "short",     "long",
     "new",      "old",    "empty",     "public",    "private",   "different", "same",
     "wrong",    "safe",   "unsafe",    "unique",    "unknown",   "ready",     "enough",
     "hard",     "easy",   "important", "necessary", "mandatory", "sensitive", "confidential",
     "gone",     "lost",   "put",       "left",      "held",      "built",     "found",
     "bound",    "made",   "written",   "hidden",    "shown",     "given",     "taken",
     "stolen",   "broken", "forgotten", "chosen",    "known",     "too",       "due",
     "unset",    "case",   "available", "revoked",   "personal"});

constexpr auto kParticipleEndings =
    std::to_array<std::string_view>({"ed", "ing", "able", "ible", "less"});

constexpr auto kUnits = std::to_array<std::string_view>(
    {"day",     "days", "hour",  "hours", "minute",     "minutes", "second",
     "seconds", "week", "weeks", "month", "months",     "year",    "years",
     "bit",     "bits", "byte",  "bytes", "characters", "letters", "digits"});

constexpr auto kLeadsToValue = std::to_array<std::string_view>({"to",
                                                                "as",
                                                                "but",
                                                                "namely",
                                                                "is",
                                                                "was",
                                                                "now",
                                                                "word",
                                                                "string",
                                                                "value",
                                                                "called",
                                                                "just",
                                                                "then",
                                                                "it's",
                                                                "="});

constexpr auto kNoValues = std::to_array<std::string_view>(
    {"null",   "none",     "nil",      "undefined", "true",      "false", "yes", "no",     "empty",
     "string", "str",      "int",      "number",    "boolean",   "bool",  "any", "object", "bytes",
     "text",   "required", "optional", "redacted",  "secretstr", "void",  "n/a"});

constexpr auto kTechnical = std::to_array<std::string_view>(
    {"sha1",   "sha2",   "sha3",   "sha5",    "md5",     "argon2", "bcrypt2", "pbkdf2", "base64",
     "base32", "base58", "oauth1", "oauth2",  "ed25519", "x25519", "utf8",    "aes1",   "aes2",
     "rsa20",  "rsa40",  "x509",   "secp256", "jwt",     "hs256",  "rs256",   "es256",  "hex"});

}  // namespace

bool is_preposition(std::string_view word) { return is_one_of(word, kPrepositions); }

bool is_function_word(std::string_view word) {
  return is_preposition(word) || is_one_of(word, kFunctionWords);
}

bool is_passed_over(std::string_view word) { return is_one_of(word, kPassedOver); }

bool is_request(std::string_view word) { return is_one_of(word, kRequests); }

bool is_state(std::string_view word) {
  if (const std::size_t hyphen = word.rfind('-'); hyphen != std::string_view::npos) {
    return hyphen > 0 && is_participle(word.substr(hyphen + 1));  // "short-lived", "read-only"
  }
  return is_one_of(word, kStates);
}

bool is_participle(std::string_view word) {
  constexpr std::size_t kLeast = 5;
  constexpr auto kOnlyBehindAHyphen =
      std::to_array<std::string_view>({"only", "free", "wide", "specific"});
  return is_state(word) || is_one_of(word, kOnlyBehindAHyphen) ||
         (word.size() >= kLeast &&
          std::any_of(kParticipleEndings.begin(),
                      kParticipleEndings.end(),
                      [word](std::string_view end) { return ends_with(word, end); }));
}

bool is_describing(std::string_view word) {
  constexpr std::size_t kLeast = 5;
  constexpr auto kEndings = std::to_array<std::string_view>(
      {"al", "ic", "ive", "ous", "ful", "ary", "ent", "ant", "aque", "able"});
  return word.size() >= kLeast &&
         std::any_of(kEndings.begin(), kEndings.end(), [word](std::string_view end) {
           return ends_with(word, end);
         });
}

bool is_unit(std::string_view word) { return is_one_of(word, kUnits); }

bool leads_to_value(std::string_view word) { return is_one_of(word, kLeadsToValue); }

bool is_no_value(std::string_view word) { return is_one_of(word, kNoValues); }

bool is_technical(std::string_view word) {
  return std::any_of(kTechnical.begin(), kTechnical.end(), [word](std::string_view known) {
    constexpr std::size_t kMostMore = 3;  // "argon2id", "base64url"
    const std::string_view more = word.substr(std::min(known.size(), word.size()));
    return equals_folded(word.substr(0, known.size()), known) && more.size() <= kMostMore &&
           std::all_of(more.begin(), more.end(), [](char c) { return is(c, kAlnum | kHyphen); });
  });
}

}  // namespace daybook::redact
