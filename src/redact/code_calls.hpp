// SPDX-License-Identifier: MIT
//
// Secrets that code hands over without a separator: `setPassword("…")`, `put("password", "…")`,
// `#define PASSWORD "…"`, and of SQL `PASSWORD '…'` and `IDENTIFIED BY '…'`. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// At the parenthesis before a quote.
Hit match_call(const Cursor& cursor);
/// At the `#` of `#define`.
Hit match_define(const Cursor& cursor);
/// At `PASSWORD`, which may be the end of a name, or `password`.
Hit match_sql_password(const Cursor& cursor);
/// At `IDENTIFIED`.
Hit match_identified(const Cursor& cursor);

}  // namespace daybook::redact
