// SPDX-License-Identifier: MIT
//
// `KEY=value`, `"key": "value"`, `--key value`, `<key>value</key>`, where the key
// says that the value is secret: the value goes, key and separator stay. What refers to a secret
// without being one stays: variables, calls, types, placeholders. Pure.
#pragma once

#include "redact/cursor.hpp"
#include "redact/secret_values.hpp"

namespace daybook::redact {

/// Where a value lies behind the cursor.
struct Place {
  std::size_t keep = 0;
  std::size_t size = 0;
  bool quoted = false;
};

/// A value of which only the beginning may have been read.
Place whole_place(const Cursor& cursor, const Value& value, const char* begin);

/// The value with what it goes on with behind a joint.
Hit value_hit(const Cursor& cursor, const Place& place, std::string_view shape);

/// "the --password option": no value.
bool follows_in_prose(std::string_view text);

/// At `=` or `:`.
Hit match_key_value(const Cursor& cursor);
/// At the dashes of an option whose value follows behind a blank; also `-u name:password` and
/// `--user`.
Hit match_option_value(const Cursor& cursor);
/// At the `>` of an element's opening tag.
Hit match_element(const Cursor& cursor);

}  // namespace daybook::redact
