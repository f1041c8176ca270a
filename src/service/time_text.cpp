// SPDX-License-Identifier: MIT
#include "daybook/service/time_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace daybook::service {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kDayMs = 24 * kHourMs;

std::optional<lineage::Timestamp> day_from(const std::string& text, DayEdge edge) {
  constexpr std::size_t kDayLength = 10;
  const auto begin =
      text.size() == kDayLength ? lineage::parse_timestamp(text + "T00:00:00Z") : std::nullopt;
  if (!begin || edge == DayEdge::begin) {
    return begin;
  }
  return lineage::Timestamp{begin->ms + kDayMs - 1};
}

/// `7d`, `24h`.
std::optional<lineage::Timestamp> time_back(const std::string& text, lineage::Timestamp now) {
  constexpr std::size_t kMostDigits = 6;
  const bool is_span = text.size() > 1 && text.size() <= kMostDigits + 1 &&
                       std::all_of(text.begin(), text.end() - 1, [](unsigned char c) {
                         return std::isdigit(c) != 0;
                       });
  if (!is_span || (text.back() != 'd' && text.back() != 'h')) {
    return std::nullopt;
  }
  const std::int64_t unit = text.back() == 'd' ? kDayMs : kHourMs;
  return lineage::Timestamp{now.ms - unit * std::stoll(text)};
}

}  // namespace

std::optional<lineage::Timestamp> time_from_text(const std::string& text,
                                                 DayEdge edge,
                                                 lineage::Timestamp now) {
  for (const auto& time :
       {lineage::parse_timestamp(text), day_from(text, edge), time_back(text, now)}) {
    if (time) {
      return time;
    }
  }
  return std::nullopt;
}

}  // namespace daybook::service
