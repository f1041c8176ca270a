// SPDX-License-Identifier: MIT
//
// What the commands that look at the memory begin with: the vault with its index open, times as
// people type them, the session that an argument means, and how fresh an answer is.
#pragma once

#include "cli/settings.hpp"
#include "cli/vault.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/freshness.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/time_text.hpp"
#include "daybook/state/telemetry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::cli {

struct Reading {
  Vault vault;
  index::Reader reader;
  std::string agent;  ///< that --agent names, checked; empty: none

  lineage::Timestamp last_sweep() const { return {reader.meta().swept_at_ms}; }
  /// It must stay where it is for as long.
  service::KnownRemovals removals() const { return {base::real_disk(), vault.state, last_sweep()}; }
};

/// Creates nothing. no_workspace when the workspace was never indexed or its index is gone: there
/// is nothing to read then.
Result<Reading> open_for_reading(const Settings& settings);

using service::DayEdge;

/// RFC 3339, `YYYY-MM-DD` (that edge of the day, UTC), or `7d`, `24h` before now. Nothing for an
/// empty text.
Result<std::optional<lineage::Timestamp>> read_time(const std::string& option,
                                                    const std::string& text,
                                                    DayEdge edge,
                                                    lineage::Timestamp now);

struct SessionArgument {
  std::optional<index::SessionRow> session;
  int exit_code = 0;  ///< of a failure that was told already
};

/// The one session that is meant; whatever else it is gets told.
SessionArgument session_argument(Reading& reading,
                                 service::KnownRemovals& removals,
                                 const std::string& text,
                                 const Settings& settings);

/// Looks at the vault, and says on stderr when the index is older than it.
Result<bool> checked_fresh(const Vault& vault, const Settings& settings);

/// Telemetry, after the answer: never a reason to fail.
void record_use(const Vault& vault,
                state::TelemetryEvent event,
                const std::vector<state::TelemetrySubject>& sessions);

/// A friendly word on stderr, unless --quiet.
void say(const Settings& settings, const std::string& text);

/// `2026-03-28 22:34`, UTC.
std::string to_minute(lineage::Timestamp time);

/// The last part of a project's path, printable; `-` when there is none.
std::string short_project(const std::string& project);

}  // namespace daybook::cli
