// SPDX-License-Identifier: MIT
//
// What somebody wants remembered -> whether it holds, or seems to hold, a secret. Stricter than the
// sanitizer: a note is refused rather than stored with a hole in it, so whatever the sanitizer
// would take out counts (but no personal data: people do remember addresses), and so do words that
// announce a secret ("client_secret=", "password is …") whatever stands behind them, and the marks
// that redaction leaves. Linear time; no I/O; cannot fail.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::redact {

/// The stable name of the first shape found: one of the sanitizer's, `redaction-marker` or
/// `secret-assignment`. Nothing: it may be stored. `literals` are the operator's.
std::optional<std::string_view> secret_in(std::string_view content,
                                          const std::vector<std::string>& literals = {});

}  // namespace daybook::redact
