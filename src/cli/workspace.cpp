// SPDX-License-Identifier: MIT
#include "cli/workspace.hpp"

#include "daybook/base/disk.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/workspace_config.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace daybook::cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return value == nullptr ? std::string() : std::string(value);
}

Error no_workspace(const std::string& path) {
  return {ErrorKind::no_workspace,
          "there is no workspace here: the folder does not exist",
          path,
          "Make one with 'daybook init DIR', or name yours with --workspace DIR."};
}

/// The real path of where a name stands; the name itself is not followed if it is a link, unless it
/// leads to a whole vault.
std::optional<fs::path> located(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path / std::string(scan::kMemoryFolder), error)) {
    return fs::canonical(path, error);
  }
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (error) {
    return std::nullopt;
  }
  const bool ends_in_slash = !absolute.has_filename();
  const fs::path whole = ends_in_slash ? absolute.parent_path() : absolute;
  if (!fs::exists(fs::symlink_status(whole, error))) {
    return std::nullopt;
  }
  const fs::path parent = fs::canonical(whole.parent_path(), error);
  if (error) {
    return std::nullopt;
  }
  return whole.has_filename() ? parent / whole.filename() : parent;
}

std::optional<std::string> path_below(const fs::path& path, const fs::path& root) {
  const auto [end_of_root, rest] =
      std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  if (end_of_root != root.end()) {
    return std::nullopt;
  }
  fs::path below;
  for (auto part = rest; part != path.end(); ++part) {
    below /= *part;
  }
  return below.generic_string();
}

/// The nearest folder at or above the path that has a memory/ folder.
std::optional<fs::path> workspace_around(const fs::path& path) {
  std::error_code error;
  for (fs::path folder = path;; folder = folder.parent_path()) {
    if (fs::is_directory(folder / std::string(scan::kMemoryFolder), error)) {
      return fs::canonical(folder, error);
    }
    if (folder == folder.parent_path()) {
      return std::nullopt;
    }
  }
}

bool is_below_memory(const std::string& path) {
  return path == scan::kMemoryFolder || path.starts_with(std::string(scan::kMemoryFolder) + "/");
}

Error outside(const std::string& argument, const std::string& workspace) {
  return {ErrorKind::usage,
          "the path is not below memory/ of the workspace " + workspace,
          argument,
          "Only memory/ is checked; name a file or folder in it, or another --workspace."};
}

Error nothing_there(const std::string& argument) {
  return {ErrorKind::usage, "there is no such file or folder", argument, "Check the spelling."};
}

}  // namespace

std::string chosen_workspace(const Settings& settings) {
  if (!settings.workspace.empty()) {
    return settings.workspace;
  }
  for (const char* name : {"DAYBOOK_WORKSPACE", "SIGNET_WORKSPACE"}) {
    if (std::string value = environment(name); !value.empty()) {
      return value;
    }
  }
  const std::string home = environment("HOME");
  return (home.empty() ? std::string(".") : home) + "/.agents";
}

Result<std::string> open_workspace(const Settings& settings) {
  const std::string chosen = chosen_workspace(settings);
  std::error_code error;
  const fs::path real = fs::canonical(chosen, error);
  if (error) {
    return no_workspace(chosen);
  }
  if (!fs::is_directory(real, error)) {
    return Error{ErrorKind::no_workspace,
                 "the workspace is not a folder",
                 chosen,
                 "Name a folder with --workspace DIR."};
  }
  return real.string();
}

Result<ConfiguredWorkspace> open_configured_workspace(const Settings& settings) {
  TRY_ASSIGN(std::string path, open_workspace(settings));
  TRY_ASSIGN(auto config, service::load_config(base::real_disk(), path));
  return ConfiguredWorkspace{std::move(path), std::move(config)};
}

Result<Scope> scope_of(const Settings& settings, const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    TRY_ASSIGN(std::string workspace, open_workspace(settings));
    return Scope{std::move(workspace), {}};
  }
  std::error_code error;
  fs::path root = fs::canonical(chosen_workspace(settings), error);
  std::vector<fs::path> places;
  for (const std::string& argument : arguments) {
    auto place = located(argument);
    if (!place && !root.empty()) {
      place = located(root / argument);  // as reports print them: relative to the workspace
    }
    if (!place) {
      return nothing_there(argument);
    }
    places.push_back(std::move(*place));
  }
  const bool inside = !root.empty() && path_below(places.front(), root).has_value();
  if (!inside && settings.workspace.empty()) {
    const auto around = workspace_around(places.front());
    if (!around) {
      Error none = no_workspace(arguments.front());
      none.message = "there is no workspace around this path: no folder above it has a memory/";
      return none;
    }
    root = *around;
  } else if (root.empty()) {
    return no_workspace(chosen_workspace(settings));
  }
  Scope scope{root.string(), {}};
  bool whole = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto below = path_below(places[i], root);
    if (!below || (!below->empty() && !is_below_memory(*below))) {
      return outside(arguments[i], root.string());
    }
    whole = whole || below->empty();
    scope.paths.push_back(*below);
  }
  if (whole) {
    scope.paths.clear();
  }
  return scope;
}

}  // namespace daybook::cli
