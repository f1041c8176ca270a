// SPDX-License-Identifier: MIT
#include "cli/vault.hpp"

#include "cli/workspace.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/session_token.hpp"

#include <cstdlib>
#include <filesystem>

namespace daybook::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): start-up
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

Result<std::string> chosen_state_path(const Settings& settings, const std::string& workspace) {
  std::string chosen = settings.state_dir;
  if (chosen.empty()) {
    chosen = environment("DAYBOOK_STATE_DIR");
  }
  if (!chosen.empty()) {
    return std::filesystem::absolute(chosen).lexically_normal().string();
  }
  const std::string xdg = environment("XDG_STATE_HOME");
  const std::string home = environment("HOME");
  if (xdg.empty() && home.empty()) {
    return Error{ErrorKind::usage,
                 "there is no place for the state: neither HOME nor XDG_STATE_HOME is set",
                 {},
                 "Name a folder with --state-dir DIR."};
  }
  return state::default_state_path(workspace, xdg, home);
}

Result<std::string> state_path_beside(const Settings& settings, const std::string& workspace) {
  TRY_ASSIGN(std::string path, chosen_state_path(settings, workspace));
  if (path == workspace || path.starts_with(workspace + "/")) {
    return Error{ErrorKind::usage,
                 "the state must lie outside the vault, because vaults are synced",
                 path,
                 "Name another folder with --state-dir DIR."};
  }
  return path;
}

std::unique_ptr<base::Clock> chosen_clock(const Settings& settings) {
  if (settings.now) {
    return std::make_unique<base::FixedClock>(settings.now->ms);
  }
  return std::make_unique<base::SystemClock>();
}

Result<index::Reader> Vault::open_index() const {
  return index::Reader::open(state.file(index::kIndexFile));
}

Result<Vault> open_vault(const Settings& settings, state::Create create) {
  TRY_ASSIGN(std::string workspace, open_workspace(settings));
  TRY_ASSIGN(const std::string path, state_path_beside(settings, workspace));
  // No state is made for what is no vault.
  const bool is_vault = std::filesystem::is_directory(workspace + "/memory");
  if (create == state::Create::if_missing && !std::filesystem::exists(path) && !is_vault) {
    return Error{ErrorKind::no_workspace,
                 "there is no memory/ folder in the workspace",
                 workspace,
                 "Make one with 'daybook init', or name the workspace with --workspace DIR."};
  }
  auto folder = state::StateFolder::open(path, workspace, create);
  if (!folder) {
    Error error = std::move(folder).error();
    if (error.kind == ErrorKind::not_found && create == state::Create::never) {
      error.message = "this workspace was never indexed";
      error.path = workspace;
      error.hint = "Index it with 'daybook reindex'.";
    } else if (error.hint.empty()) {
      error.hint = "Name another folder for the state with --state-dir DIR.";
    }
    return error;
  }
  return Vault{std::move(workspace), std::move(folder).value(), chosen_clock(settings)};
}

Result<std::string> chosen_agent(const Settings& settings) {
  if (!settings.agent.empty() && !lineage::is_valid_agent_id(settings.agent)) {
    return Error{ErrorKind::usage,
                 "'" + settings.agent + "' cannot be the id of an agent",
                 {},
                 std::string(lineage::info(lineage::Code::bad_agent_id).hint)};
  }
  return settings.agent;
}

}  // namespace daybook::cli
