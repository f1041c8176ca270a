// SPDX-License-Identifier: MIT
#include "daybook/service/use_record.hpp"

#include "daybook/base/log.hpp"
#include "daybook/state/noted_uses.hpp"
#include "daybook/state/state_db.hpp"

namespace daybook::service {

std::string record_use(const state::StateFolder& folder,
                       state::TelemetryEvent event,
                       std::span<const state::TelemetrySubject> sessions,
                       lineage::Timestamp now) {
  constexpr int kBusyTimeoutMs = 50;
  if (sessions.empty() || !folder.has_state()) {
    return {};
  }
  if (state::note_use(folder, event, sessions, now)) {
    return {};
  }
  const std::string path = folder.file("state.db");
  auto state = state::StateDb::open(folder, kBusyTimeoutMs);
  if (!state) {
    base::log(base::LogLevel::debug, {"state", "telemetry was not recorded", path});
    return {};
  }
  if (const auto recorded = state->telemetry().record(event, sessions, now); !recorded) {
    base::log(base::LogLevel::debug, {"state", "telemetry was not recorded", path});
  }
  return state->set_aside().empty()
             ? std::string()
             : "state.db was damaged; it was set aside as " + state->set_aside() +
                   " and made anew: telemetry and seals of this device begin again";
}

}  // namespace daybook::service
