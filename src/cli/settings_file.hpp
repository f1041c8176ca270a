// SPDX-License-Identifier: MIT
//
// The settings file of another program: read whole, and replaced whole or not at all, with its mode
// kept and its links followed, so that dotfiles that are kept elsewhere stay links.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::cli {

/// Where a link to the file leads; not_found when that is nowhere.
Result<std::string> real_settings_path(const std::string& path);

/// Nothing when there is none.
Result<std::optional<std::string>> read_settings_file(const std::string& path);

/// An empty text removes the file. Folders above are made.
Result<void> write_settings_file(const std::string& path, const std::string& text);

/// How a harness is to start this program, with everything that was chosen here: its path, then
/// --workspace, and --state-dir and --agent where they differ from what it would choose itself.
Result<std::vector<std::string>> program_words(const Settings& settings);

}  // namespace daybook::cli
