// SPDX-License-Identifier: MIT
//
// What stands where a secret would, by its form: a reference, a placeholder, code, a place. Text on
// one line, from the value on; looks at a bounded piece of it. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace daybook::redact {

/// Of what the announcing word speaks.
enum class Secret : std::uint8_t {
  token,       ///< made by machines; in models and parsers also a piece of text
  key,         ///< made by machines
  password,    ///< chosen by people: may be one plain word
  passphrase,  ///< may be several plain words
};

/// `$TOKEN`, `${{ secrets.TOKEN }}`, `$(pass show db)`, `process.env.TOKEN`: the place it is in.
bool is_reference(std::string_view value);

/// `<your-token>`, `<password here>`; of tokens also `</s>`, `<pad>`, `[PAD]`.
bool is_placeholder(std::string_view value, Secret secret);

/// `lexer.next()`, `Optional[str]`: names, and what is done with them.
bool is_code(std::string_view value);

/// Nothing, or but one sign or X again and again: somebody has left it out.
bool is_left_out(std::string_view value);

/// `alt+shift+a`; of one word.
bool is_chord(std::string_view word);

/// `~/.ssh/id_ed25519`, `https://vault.example.com`: where it lies; of one word.
bool is_place(std::string_view word);

}  // namespace daybook::redact
