// SPDX-License-Identifier: MIT
//
// Which paths are what in a workspace, by name alone. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace daybook::scan {

inline constexpr std::string_view kMemoryFolder = "memory";
inline constexpr std::string_view kNoteExtension = ".md";

/// Notes of 64 MiB are beyond reading; transcripts are streamed and may be larger.
inline constexpr std::uint64_t kLargestNote = 64ULL << 20U;
inline constexpr std::uint64_t kLargestTranscript = 1ULL << 30U;

/// Slashes in the path of a folder that is still looked into: a bound, not a feature. One for all
/// who walk the vault, so that none of them sees what another does not.
inline constexpr std::size_t kDeepestFolder = 64;

/// Dot-files and dot-folders belong to other programs (.obsidian, .git, .trash) and to temporaries.
inline bool is_hidden(std::string_view name) { return name.starts_with('.'); }

inline bool is_note(std::string_view name) {
  return name.ends_with(kNoteExtension) && !is_hidden(name);
}

}  // namespace daybook::scan
