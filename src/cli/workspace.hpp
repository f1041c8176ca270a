// SPDX-License-Identifier: MIT
//
// Options, environment and arguments -> the workspace, as a real path, and paths inside it.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/result.hpp"
#include "daybook/parse/config.hpp"

#include <string>
#include <vector>

namespace daybook::cli {

/// The first that is set: --workspace, DAYBOOK_WORKSPACE, SIGNET_WORKSPACE, ~/.agents. Not yet
/// looked at.
std::string chosen_workspace(const Settings& settings);

/// The same as a real path; no_workspace if it does not exist.
Result<std::string> open_workspace(const Settings& settings);

struct ConfiguredWorkspace {
  std::string path;  ///< real path
  parse::Config config;
};

/// With its daybook.yaml, or the defaults where there is none.
Result<ConfiguredWorkspace> open_configured_workspace(const Settings& settings);

struct Scope {
  std::string workspace;           ///< real path
  std::vector<std::string> paths;  ///< workspace-relative; empty: all of it
};

/// Arguments of `check`. Without --workspace, paths that lie elsewhere name their own workspace:
/// the nearest folder above them that has a memory/ folder, so that one can point at any vault.
Result<Scope> scope_of(const Settings& settings, const std::vector<std::string>& arguments);

}  // namespace daybook::cli
