// SPDX-License-Identifier: MIT
//
// What stands behind words that announce a secret -> does it tell one? A sentence about a secret
// goes on with a preposition, a negation, a state ("is in the vault", "is never logged", "is
// rotated"); a setting may name the place it comes from ("=$KEY") or stand empty. All else counts,
// because a secret that people chose may be any word. Text on one line; looks at a bounded piece of
// it. Pure.
#pragma once

#include "redact/value_forms.hpp"

#include <cstdint>
#include <string_view>

namespace daybook::redact {

/// What counts as told.
enum class Telling : std::uint8_t {
  any,     ///< whatever is not known to say nothing
  chosen,  ///< only what looks as if it were made or chosen to be hard to guess: "hunter2"
};

/// Behind `:` or `=`. Nothing at all counts as told, if any does: somebody cut it off.
bool tells_behind_sign(std::string_view rest, Secret secret, Telling telling);

/// Behind "is".
bool tells_behind_verb(std::string_view rest, Secret secret, Telling telling);

/// Directly behind the word: "token 8f3b2c9a7d6e5f4a3b2c", "password hunter2".
bool tells_directly(std::string_view rest, Secret secret);

/// "for the staging host is hunter2", "of db: hunter2". Of what machines make only what looks so.
bool tells_behind_purpose(std::string_view rest, Secret secret);

}  // namespace daybook::redact
