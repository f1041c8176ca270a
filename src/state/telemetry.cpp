// SPDX-License-Identifier: MIT
#include "daybook/state/telemetry.hpp"

#include "daybook/store/transaction.hpp"
#include "state/token_blob.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daybook::state {
namespace {

using lineage::Timestamp;
using store::Row;

constexpr double kHalfLifeMs = 14.0 * 24 * 60 * 60 * 1000;
constexpr std::array<double, 3> kWeights{1, 2, 4};  // shown, searched, opened

TelemetryCount read_count(const Row& row, int column) {
  TelemetryCount count{row.integer(column), std::nullopt};
  if (const auto last = row.optional_integer(column + 1)) {
    count.last = Timestamp{*last};
  }
  return count;
}

std::optional<std::int64_t> last_of(const TelemetryCount& count) {
  return count.last ? std::optional(count.last->ms) : std::nullopt;
}

void add_event(SessionTelemetry& session, TelemetryEvent event, Timestamp now) {
  TelemetryCount& count = event == TelemetryEvent::shown      ? session.shown
                          : event == TelemetryEvent::searched ? session.searched
                                                              : session.opened;
  ++count.times;
  count.last = std::max(count.last.value_or(now), now);
  session.rank = session.rank_at(now) + kWeights[static_cast<std::size_t>(event)];
  session.ranked_at = std::max(session.ranked_at, now);
}

Result<std::optional<SessionTelemetry>> read_session(store::Statement& select,
                                                     const TokenBytes& token) {
  std::optional<SessionTelemetry> found;
  TRY(select.each(
      [&found](const Row& row) {
        found = SessionTelemetry{std::string(row.text(0)),
                                 read_count(row, 1),
                                 read_count(row, 3),
                                 read_count(row, 5),
                                 row.real(7),
                                 {row.integer(8)}};
      },
      store::as_blob(token)));
  return found;
}

constexpr const char* kSelect =
    "SELECT agent_id, shown, shown_last, searched, searched_last, opened, opened_last, rank,"
    " ranked_at FROM telemetry WHERE token = ?";

}  // namespace

double SessionTelemetry::rank_at(Timestamp now) const {
  const auto elapsed = static_cast<double>(std::max<std::int64_t>(now.ms - ranked_at.ms, 0));
  return rank * std::exp2(-elapsed / kHalfLifeMs);
}

Result<void> Telemetry::record(TelemetryEvent event,
                               std::span<const TelemetrySubject> sessions,
                               Timestamp now) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY(add(event, sessions, now));
  return transaction.commit();
}

Result<void> Telemetry::add(TelemetryEvent event,
                            std::span<const TelemetrySubject> sessions,
                            Timestamp now) {
  TRY_ASSIGN(auto select, database_.prepare(kSelect));
  TRY_ASSIGN(auto insert,
             database_.prepare(
                 "INSERT OR REPLACE INTO telemetry(token, agent_id, shown, shown_last, searched,"
                 " searched_last, opened, opened_last, rank, ranked_at)"
                 " VALUES(?,?,?,?,?,?,?,?,?,?)"));
  for (const TelemetrySubject& subject : sessions) {
    const TokenBytes token = to_bytes(subject.token);
    TRY_ASSIGN(auto known, read_session(select, token));
    SessionTelemetry session = known.value_or(SessionTelemetry{});
    session.agent_id = subject.agent_id;
    add_event(session, event, now);
    TRY(insert.run(store::as_blob(token),
                   session.agent_id,
                   session.shown.times,
                   last_of(session.shown),
                   session.searched.times,
                   last_of(session.searched),
                   session.opened.times,
                   last_of(session.opened),
                   session.rank,
                   session.ranked_at.ms));
  }
  return {};
}

Result<std::optional<SessionTelemetry>> Telemetry::get(const lineage::SessionToken& token) {
  TRY_ASSIGN(auto select, database_.prepare(kSelect));
  return read_session(select, to_bytes(token));
}

Result<void> Telemetry::reset() { return database_.execute("DELETE FROM telemetry"); }

Result<void> Telemetry::erase(const lineage::SessionToken& token) {
  TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM telemetry WHERE token = ?"));
  const TokenBytes bytes = to_bytes(token);
  return erase.run(store::as_blob(bytes));
}

Result<std::int64_t> Telemetry::size() {
  TRY_ASSIGN(const auto size, database_.integer("SELECT count(*) FROM telemetry"));
  return size.value_or(0);
}

}  // namespace daybook::state
