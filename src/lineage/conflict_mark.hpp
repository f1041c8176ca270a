// SPDX-License-Identifier: MIT
//
// The marks that synchronisers put into the name of a copy: a note's name without `.md` -> the part
// before the mark, or nothing. Strong marks are unmistakable on any note; weak ones (a number, a
// machine's name) also occur in names that people give, so it takes more to believe them. Pure;
// what is returned points into what was given.
#pragma once

#include <optional>
#include <string_view>

namespace daybook::lineage {

/// Syncthing `.sync-conflict-…`, Obsidian, Dropbox and Nextcloud ` (… conflicted copy …)`, ownCloud
/// `_conflict-…`, Seafile ` (SFConflict …)`.
std::optional<std::string_view> before_strong_mark(std::string_view stem);

/// ` 2` and up (iCloud), ` (1)` (Google Drive, browsers).
std::optional<std::string_view> before_number(std::string_view stem);

/// `-MACHINE` (OneDrive) from `begin` on.
std::optional<std::string_view> before_machine(std::string_view stem, std::size_t begin);

}  // namespace daybook::lineage
