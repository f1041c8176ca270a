// SPDX-License-Identifier: MIT
//
// What somebody wants remembered -> whether it holds, or seems to hold, a secret. Stricter than the
// sanitizer: a note is refused rather than stored with a hole in it, so whatever the sanitizer
// would take out counts (but no personal data: people do remember addresses), and so do words that
// announce a secret and go on to tell it ("client_secret=tide", "the password is hunter2"), and the
// marks that redaction leaves. The text is also judged as it is read: characters that show nothing,
// other widths of a letter and line ends do not take a secret past the guard, because MEMORY.md
// puts it together again. Letters of other alphabets that look alike are not seen. Linear time; no
// I/O; cannot fail.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::redact {

/// Greater with each change of what is refused: what was judged by other rules is judged again.
inline constexpr int kGuardVersion = 2;

/// The stable name of the first shape found: one of the sanitizer's, `redaction-marker` or
/// `secret-assignment`. Nothing: it may be stored. `literals` are the operator's.
std::optional<std::string_view> secret_in(std::string_view content,
                                          const std::vector<std::string>& literals = {});

/// The same of a JSON text: names and values as they are without its escapes, each by itself and
/// each member as an assignment. What is no JSON is judged as it stands.
std::optional<std::string_view> secret_in_json(std::string_view json,
                                               const std::vector<std::string>& literals = {});

}  // namespace daybook::redact
