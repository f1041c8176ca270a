// SPDX-License-Identifier: MIT
//
// How often a session was shown, found and opened, and when last. Rows of state.db: a rebuild of
// the index keeps them, losing state.db loses them and nothing else. The rank is the sum of all
// events, an opening worth 4, a search hit 2, a showing 1, each halved for every 14 days since:
// what was useful lately comes first, and nothing stays first for ever. Belongs to the StateDb's
// thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace daybook::state {

enum class TelemetryEvent : std::uint8_t { shown, searched, opened };

struct TelemetryCount {
  std::int64_t times = 0;
  std::optional<lineage::Timestamp> last;
};

struct SessionTelemetry {
  std::string agent_id;
  TelemetryCount shown;
  TelemetryCount searched;
  TelemetryCount opened;
  double rank = 0;  ///< as of `ranked_at`
  lineage::Timestamp ranked_at;

  /// The rank at another time; a time before ranked_at counts as ranked_at.
  double rank_at(lineage::Timestamp now) const;
};

struct TelemetrySubject {
  lineage::SessionToken token;
  std::string agent_id;
};

class Telemetry {
 public:
  explicit Telemetry(store::Database& database) : database_(database) {}

  /// One event for each of the sessions, in one transaction.
  Result<void> record(TelemetryEvent event,
                      std::span<const TelemetrySubject> sessions,
                      lineage::Timestamp now);
  /// The same inside a transaction of the caller's.
  Result<void> add(TelemetryEvent event,
                   std::span<const TelemetrySubject> sessions,
                   lineage::Timestamp now);
  Result<std::optional<SessionTelemetry>> get(const lineage::SessionToken& token);
  Result<void> reset();
  Result<void> erase(const lineage::SessionToken& token);
  /// How many sessions have any.
  Result<std::int64_t> size();

 private:
  store::Database& database_;
};

}  // namespace daybook::state
