// SPDX-License-Identifier: MIT
//
// The kinds of canonical file. A plain value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace daybook::lineage {

enum class Kind : std::uint8_t { summary, transcript, compaction, manifest, tombstone };

inline constexpr std::array<std::string_view, 5> kKindNames{
    "summary", "transcript", "compaction", "manifest", "tombstone"};

inline std::string_view to_string(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

inline std::optional<Kind> kind_from_string(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) {
      return static_cast<Kind>(i);
    }
  }
  return std::nullopt;
}

/// Summary, transcript and compaction never change after their first commit.
inline bool is_immutable(Kind kind) { return kind <= Kind::compaction; }

}  // namespace daybook::lineage
