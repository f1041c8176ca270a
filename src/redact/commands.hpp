// SPDX-License-Identifier: MIT
//
// Passwords in lines that no separator marks: options of programs that are known to take one there
// (`sshpass -p`, `mysql -p…`, `docker login -p`), lines of a netrc file, `ENV KEY value` of a
// Dockerfile. The password goes, all else stays. Pure.
#pragma once

#include "redact/cursor.hpp"

namespace daybook::redact {

/// At the hyphen of `-p`.
Hit match_password_option(const Cursor& cursor);
/// At `password`, behind `login name` or alone on its line.
Hit match_netrc(const Cursor& cursor);
/// At `ENV `.
Hit match_env_line(const Cursor& cursor);

}  // namespace daybook::redact
