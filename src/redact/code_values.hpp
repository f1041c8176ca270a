// SPDX-License-Identifier: MIT
//
// A value behind a key that says "secret" -> is it code or a setting that only looks so? A constant
// of an enumeration, a variable, an expression, the shell's working folder. Pure.
#pragma once

#include "redact/secret_values.hpp"

namespace daybook::redact {

/// At the separator; `text` is what read_value() found behind it.
bool is_no_literal(const Cursor& cursor, const Key& key, std::string_view text, const Value& value);

}  // namespace daybook::redact
