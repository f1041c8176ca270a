// SPDX-License-Identifier: MIT
//
// Secrets in addresses: the password before the host, a token in the place of the name, values of
// the query. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// At the colon of `scheme://`: the password of an address, or a token in the place of the name.
Hit match_url_login(const Cursor& cursor);

/// At the `=` of `?name=value` and `&name=value`, to the end of the value.
Hit match_query(const Cursor& cursor);

}  // namespace daybook::redact
