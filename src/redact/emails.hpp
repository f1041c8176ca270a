// SPDX-License-Identifier: MIT
//
// E-mail addresses. What only looks like one stays: git@host, user@host:path, packages with a
// version, pictures for dense screens, units of systemd. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// At the `@`.
Hit match_email(const Cursor& cursor);

}  // namespace daybook::redact
