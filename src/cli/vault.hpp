// SPDX-License-Identifier: MIT
//
// Settings -> the vault that a command works on: its workspace, its state folder, the clock that
// --now may have fixed. What every command that knows the index begins with.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/state/state_folder.hpp"

#include <memory>
#include <string>

namespace daybook::cli {

struct Vault {
  std::string workspace;  ///< real path
  state::StateFolder state;
  std::unique_ptr<base::Clock> clock;

  lineage::Timestamp now() const { return {clock->now_ms()}; }
  /// The index, or what to do when there is none.
  Result<index::Reader> open_index() const;
};

/// With Create::never a vault that was never indexed is ErrorKind::not_found, with the command that
/// indexes it; nothing is made.
Result<Vault> open_vault(const Settings& settings, state::Create create);

/// Where the state of that workspace is, or would be: --state-dir, DAYBOOK_STATE_DIR, else the
/// default. Not yet looked at.
Result<std::string> chosen_state_path(const Settings& settings, const std::string& workspace);

/// The same; inside the vault it is an error of usage.
Result<std::string> state_path_beside(const Settings& settings, const std::string& workspace);

/// The system's, or the one that --now has fixed.
std::unique_ptr<base::Clock> chosen_clock(const Settings& settings);

/// The agent that the settings name, checked; empty: none.
Result<std::string> chosen_agent(const Settings& settings);

}  // namespace daybook::cli
