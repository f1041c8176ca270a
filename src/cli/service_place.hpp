// SPDX-License-Identifier: MIT
//
// Settings -> the background service of one workspace: what its manager is to know, the manager
// itself, and who serves the workspace now.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/result.hpp"
#include "daybook/host/service_manager.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/state/state_folder.hpp"

#include <memory>
#include <optional>
#include <string>

namespace daybook::cli {

/// What `watch --detach` and launchd write their lines to, in the state folder.
inline constexpr const char* kWatchLog = "watch.log";

struct ServicePlace {
  host::ServiceSpec spec;
  std::optional<state::StateFolder> state;  ///< nothing: the workspace was never indexed
  std::unique_ptr<host::ServiceManager> manager;

  /// Who holds the workspace now, however it was started.
  std::optional<state::ServiceHolder> holder() const {
    return state ? state::service_holder(*state) : std::nullopt;
  }
};

/// With Create::never a workspace without a state folder has no `state`, and nothing is made.
Result<ServicePlace> open_service_place(const Settings& settings,
                                        host::ManagerKind kind,
                                        state::Create create);

}  // namespace daybook::cli
