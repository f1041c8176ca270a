// SPDX-License-Identifier: MIT
//
// Sessions -> their ranks by use, as far as they can be had for nothing: read straight from
// state.db without waiting for anybody, for answers that only lean on them. What is noted but not
// counted yet (state/noted_uses.hpp) is not in them. A state.db that is not there, busy or damaged
// gives none; who opens it to write says what is wrong. Any thread.
#pragma once

#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"

#include <map>
#include <span>

namespace daybook::state {

std::map<lineage::SessionToken, double> telemetry_ranks(
    const StateFolder& folder,
    std::span<const lineage::SessionToken> sessions,
    lineage::Timestamp now);

}  // namespace daybook::state
