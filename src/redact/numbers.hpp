// SPDX-License-Identifier: MIT
//
// Cards, telephone numbers and social security numbers. What else is made of digits stays: dates,
// times, epochs, decimals, versions, addresses, hashes, sizes. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// At the first digit of a run.
Hit match_number(const Cursor& cursor);

}  // namespace daybook::redact
