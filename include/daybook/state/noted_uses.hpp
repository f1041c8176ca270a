// SPDX-License-Identifier: MIT
//
// `<state>/uses`: what was shown, found and opened since telemetry was last asked for. A line each,
// `searched 1774872000000 TOKEN AGENT`, added with one write that nobody waits for: opening
// state.db and committing there takes longer than most searches. Whoever asks state.db for
// telemetry takes them in first: moves the file out of the way, counts what it holds, and drops it
// when that is committed. Any process adds; one at a time takes, inside a transaction of state.db.
// A crash in the very moment may count some twice; a power cut soon after it, or an addition in the
// very moment of the taking, may lose some; lines that cannot be read are nobody's.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/telemetry.hpp"

#include <span>
#include <string>
#include <vector>

namespace daybook::state {

inline constexpr const char* kUsesFile = "uses";

/// False when nothing was noted: it cannot be written, or there are so many that it is time to take
/// them in.
bool note_use(const StateFolder& folder,
              TelemetryEvent event,
              std::span<const TelemetrySubject> sessions,
              lineage::Timestamp now);

/// What was used at one time.
struct NotedUse {
  TelemetryEvent event = TelemetryEvent::shown;
  lineage::Timestamp time;
  std::vector<TelemetrySubject> sessions;
};

/// What is noted in that file, in its order; after a taking that was cut off what that has left,
/// and the rest with the next. It stays beside the file until drop_taken_uses(). Fails when it
/// cannot be moved there, or cannot be read.
Result<std::vector<NotedUse>> take_noted_uses(const std::string& path);
/// When what was taken is counted.
void drop_taken_uses(const std::string& path);
/// All of it, uncounted.
Result<void> forget_noted_uses(const std::string& path);
/// Whether there is something to take.
bool has_noted_uses(const std::string& path);

}  // namespace daybook::state
