// SPDX-License-Identifier: MIT
//
// A time as people and models write it -> a moment: RFC 3339, `2026-03-28` (that edge of the day,
// UTC), or `7d`, `24h` before now. Pure.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace daybook::service {

enum class DayEdge : std::uint8_t { begin, end };

std::optional<lineage::Timestamp> time_from_text(const std::string& text,
                                                 DayEdge edge,
                                                 lineage::Timestamp now);

}  // namespace daybook::service
