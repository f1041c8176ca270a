// SPDX-License-Identifier: MIT
//
// The words before a separator -> does a secret follow? Only the last four words count, as whole
// words, and the last of them must be the one that matters: `db_password`, `apiKey`,
// `AWS_SECRET_KEY`, "personal access token", "the password is"; not "the secretary said",
// `max_tokens`, `token_count`. Pure.
#pragma once

#include "redact/cursor.hpp"

#include <cstdint>

namespace daybook::redact {

enum class KeyKind : std::uint8_t {
  none,
  password,       ///< chosen by people: weak words count, too
  secret,         ///< made by machines
  cookie,         ///< a header: the rest of the line
  authorization,  ///< a header: a scheme and the rest of the line
  login,  ///< `NPM_AUTH`: in capitals; a value in quotes or behind `NAME=` need not look random
  weak,   ///< `key`, `auth`: only a value that looks random
};

struct Key {
  KeyKind kind = KeyKind::none;
  const char* begin = nullptr;  ///< of the last identifier
  const char* end = nullptr;
  bool upper_case = false;  ///< an environment variable's style
  bool hump = false;  ///< `userPass`, but also `renderPass`; `pass`: only with a literal behind it
};

/// The key that ends directly before `key_end`, which lies in [text_begin, …].
Key key_before(const char* text_begin, const char* key_end);

/// A name in the query of an address, where `sig` and `code` count as well.
KeyKind query_name(std::string_view name);

}  // namespace daybook::redact
