// SPDX-License-Identifier: MIT
//
// What was looked at -> telemetry, as far as it can be had for nothing: a state that is busy, read-
// only or not there yet is no reason to fail or to wait. Called after the answer was given. One
// thread.
#pragma once

#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/telemetry.hpp"

#include <span>
#include <string>

namespace daybook::service {

/// What the user has to know of it: a damaged state.db was set aside on the way. Mostly empty.
std::string record_use(const state::StateFolder& folder,
                       state::TelemetryEvent event,
                       std::span<const state::TelemetrySubject> sessions,
                       lineage::Timestamp now);

}  // namespace daybook::service
