// SPDX-License-Identifier: MIT
//
// Instants as UTC milliseconds. Read in any RFC 3339 form, written in one:
// `YYYY-MM-DDTHH:MM:SS.mmmZ`; in file names `:` becomes `-`. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::lineage {

struct Timestamp {
  std::int64_t ms = 0;  ///< since the Unix epoch; years 0000 to 9999
  auto operator<=>(const Timestamp&) const = default;
};

/// Nothing before or behind these can be written.
inline constexpr Timestamp kFirstTimestamp{-62'167'219'200'000};  // 0000-01-01T00:00:00.000Z
inline constexpr Timestamp kLastTimestamp{253'402'300'799'999};   // 9999-12-31T23:59:59.999Z

/// RFC 3339: `T` or `t` or a blank between date and time, any number of fraction digits (beyond
/// milliseconds they are cut), `Z` or an offset. A leap second counts as the next one's beginning.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// The form in file names: `2026-03-28T22-34-06.792Z`, UTC only, fraction optional.
std::optional<Timestamp> parse_file_timestamp(std::string_view text);

std::string to_string(Timestamp time);
std::string to_file_string(Timestamp time);

/// `YYYY-MM-DD`, the day in UTC.
std::string to_day(Timestamp time);

}  // namespace daybook::lineage
