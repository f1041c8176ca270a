// SPDX-License-Identifier: MIT
//
// Words of English that go on with a sentence instead of telling a secret: closed classes, and the
// endings of participles. Case is folded. Pure.
#pragma once

#include <string_view>

namespace daybook::redact {

/// A preposition, article, pronoun, negation, question word or auxiliary: "in", "the", "not".
bool is_function_word(std::string_view word);

/// "always", "now": behind them the same may follow as without them.
bool is_passed_over(std::string_view word);

/// What one is asked to do: "see", "ask", "rotate".
bool is_request(std::string_view word);

/// What is said of a secret: "required", "rotated", "missing", "short-lived".
bool is_state(std::string_view word);

/// A state, or what has the ending of one: "hashed", "available".
bool is_participle(std::string_view word);

/// Has the ending of an adjective: "global", "static". Of what machines make that says enough.
bool is_describing(std::string_view word);

/// "days", "characters".
bool is_unit(std::string_view word);

/// A preposition behind which the secret's place or purpose is told: "the password for staging".
bool is_preposition(std::string_view word);

/// Behind these words it may be told after all: "was changed to".
bool leads_to_value(std::string_view word);

/// `null`, `none`, `string`: stands where a value would.
bool is_no_value(std::string_view word);

/// "sha256", "base64": has digits and is no secret.
bool is_technical(std::string_view word);

}  // namespace daybook::redact
