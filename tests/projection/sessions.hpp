// SPDX-License-Identifier: MIT
//
// Sessions and pages for the tests of the projection: made in a line, read back into their parts.
#pragma once

#include "daybook/lineage/timestamp.hpp"
#include "daybook/projection/memory_md.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::projection {

inline constexpr std::int64_t kHourMs = 60LL * 60 * 1000;
inline constexpr std::int64_t kDayMs = 24 * kHourMs;

inline lineage::Timestamp time_of(std::string_view text) {
  return lineage::parse_timestamp(text).value();
}

/// A session with a summary, a transcript and a manifest, called `session-{number}`.
inline LedgerSession session_at(lineage::Timestamp membership, int number) {
  const std::string digits = std::to_string(number);
  LedgerSession session;
  session.membership = membership;
  session.session = "session-" + digits;
  session.token = std::string(16 - std::min<std::size_t>(16, digits.size()), 'a') + digits;
  session.project = number % 3 == 0 ? "/home/u/signet/signetai" : "/home/u/daybook";
  session.sentence = "Finalized DP-" + digits +
                     " write-gate clamping decisions and queued scope-aware dedup parity "
                     "validation before merge.";
  const std::string stem = "memory/" + lineage::to_file_string(membership) + "--" + session.token;
  session.summary = stem + "--summary.md";
  session.transcript = stem + "--transcript.md";
  session.manifest = stem + "--manifest.md";
  return session;
}

/// `per_day` sessions on each of `days` days, the newest at `last`.
inline std::vector<LedgerSession> busy_days(lineage::Timestamp last, int days, int per_day) {
  std::vector<LedgerSession> sessions;
  sessions.reserve(static_cast<std::size_t>(days) * static_cast<std::size_t>(per_day));
  for (int day = 0; day < days; ++day) {
    for (int i = 0; i < per_day; ++i) {
      sessions.push_back(session_at({last.ms - day * kDayMs - i * 60'000LL}, day * per_day + i));
    }
  }
  return sessions;
}

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The lines that begin so.
inline std::vector<std::string> lines_with(std::string_view text, std::string_view beginning) {
  std::vector<std::string> lines = lines_of(text);
  std::erase_if(lines,
                [beginning](const std::string& line) { return !line.starts_with(beginning); });
  return lines;
}

/// `- {time} | session=…`; a clipped day's line has no bar.
inline std::vector<std::string> rows_of(std::string_view text) {
  std::vector<std::string> rows = lines_with(text, "- ");
  std::erase_if(
      rows, [](const std::string& line) { return line.find(" | session=") == std::string::npos; });
  return rows;
}

/// The lines of clipped days; what was learned begins with its category.
inline std::vector<std::string> day_lines_of(std::string_view text) {
  std::vector<std::string> lines = lines_with(text, "- ");
  std::erase_if(lines, [](const std::string& line) {
    return line.find(" | session=") != std::string::npos || line.starts_with("- [");
  });
  return lines;
}

inline std::uint64_t tokens_of(std::uint64_t bytes) { return (bytes * 285 + 999) / 1000; }

inline bool is_within(const MemoryMd& page, const Budget& budget) {
  return page.text.size() <= budget.max_bytes && page.lines <= budget.max_lines &&
         (!budget.max_tokens || tokens_of(page.text.size()) <= *budget.max_tokens);
}

}  // namespace daybook::projection
