// SPDX-License-Identifier: MIT
//
// The revisions of the protocol that are spoken, and what sets them apart. Pure.
#pragma once

#include "mcp/json_rpc.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace daybook::mcp {

enum class Revision : std::uint8_t { of_2024_11_05, of_2025_03_26, of_2025_06_18, of_2025_11_25 };

inline constexpr std::array<std::string_view, 4> kRevisionNames{
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
inline constexpr Revision kNewestRevision = Revision::of_2025_11_25;

inline std::string_view to_string(Revision revision) {
  return kRevisionNames.at(static_cast<std::size_t>(revision));
}
inline std::optional<Revision> revision_from_string(std::string_view name) {
  for (std::size_t i = 0; i < kRevisionNames.size(); ++i) {
    if (kRevisionNames.at(i) == name) {
      return static_cast<Revision>(i);
    }
  }
  return std::nullopt;
}

/// Only one of them takes several messages in a line.
inline bool takes_batches(Revision revision) { return revision == Revision::of_2025_03_26; }
inline bool knows_annotations(Revision revision) { return revision >= Revision::of_2025_03_26; }
/// Titles, output schemas and structured results.
inline bool knows_structure(Revision revision) { return revision >= Revision::of_2025_06_18; }

/// A result, or why there is none.
using Reply = std::variant<Json, RpcError>;

}  // namespace daybook::mcp
