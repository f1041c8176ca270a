// SPDX-License-Identifier: MIT
//
// How a running service is, as text on its socket and back. The names are those that
// `daybook status --json` shows under `service`.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/daemon/health.hpp"
#include "daybook/state/state_folder.hpp"

#include <optional>
#include <string>

namespace daybook::cli {

using base::Json;

/// Of the service of this state folder.
std::string socket_path(const state::StateFolder& folder);

/// One object.
Json health_json(const daemon::Health& health);
std::string health_text(const daemon::Health& health);
std::optional<daemon::Health> health_from_text(const std::string& text);

/// Nothing: no service runs there, or it does not answer within two seconds.
std::optional<daemon::Health> ask_health(const state::StateFolder& folder);

}  // namespace daybook::cli
