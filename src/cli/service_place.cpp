// SPDX-License-Identifier: MIT
#include "cli/service_place.hpp"

#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/host/this_program.hpp"

#include <cstdlib>
#include <filesystem>

namespace daybook::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): start-up
  return value == nullptr ? std::string() : std::string(value);
}

/// The 16 letters that also name the workspace's default state folder: one service a workspace,
/// wherever its state lies.
std::string service_id(const std::string& workspace) {
  return std::filesystem::path(state::default_state_path(workspace, {}, "/")).filename().string();
}

/// The state folder, if there is one; an error that is not its absence counts.
Result<std::optional<state::StateFolder>> open_state(const Settings& settings,
                                                     state::Create create) {
  auto vault = open_vault(settings, create);
  if (!vault && vault.error().kind == ErrorKind::not_found && create == state::Create::never) {
    return std::optional<state::StateFolder>();
  }
  if (!vault) {
    return std::move(vault).error();
  }
  return std::optional(std::move(vault->state));
}

}  // namespace

Result<ServicePlace> open_service_place(const Settings& settings,
                                        host::ManagerKind kind,
                                        state::Create create) {
  const std::string home = environment("HOME");
  if (!home.starts_with('/')) {
    return Error{ErrorKind::usage,
                 "there is no place for the service's file: HOME is not set",
                 {},
                 "Set HOME to your home folder."};
  }
  ServicePlace place;
  TRY_ASSIGN(place.spec.workspace, open_workspace(settings));
  TRY_ASSIGN(place.spec.state_dir, chosen_state_path(settings, place.spec.workspace));
  TRY_ASSIGN(place.state, open_state(settings, create));
  TRY_ASSIGN(place.spec.program, host::this_program());
  place.spec.id = service_id(place.spec.workspace);
  place.spec.log_path = place.spec.state_dir + "/" + kWatchLog;
  place.manager = host::service_manager(kind, place.spec, home, environment("XDG_CONFIG_HOME"));
  return place;
}

}  // namespace daybook::cli
