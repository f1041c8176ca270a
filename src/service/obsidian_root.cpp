// SPDX-License-Identifier: MIT
#include "daybook/service/obsidian_root.hpp"

namespace daybook::service {
namespace {

namespace fs = std::filesystem;
using Place = ObsidianRoot::Place;

constexpr const char* kWhyRootMatters =
    " Daybook writes links from the workspace root ([[memory/...]]), and Obsidian reads them from "
    "the vault's root: they only meet when both are the same folder.";

bool is_vault(const fs::path& folder) {
  std::error_code trouble;
  return fs::is_directory(folder / ".obsidian", trouble);
}

}  // namespace

ObsidianRoot find_obsidian_root(const fs::path& workspace) {
  if (is_vault(workspace)) {
    return {Place::here, workspace};
  }
  for (fs::path above = workspace; above != above.parent_path();) {
    above = above.parent_path();
    if (is_vault(above)) {
      return {Place::above, above};
    }
  }
  std::error_code trouble;
  for (const auto& entry : fs::directory_iterator(workspace, trouble)) {
    if (entry.is_directory(trouble) && !entry.is_symlink(trouble) && is_vault(entry.path())) {
      return {Place::below, entry.path()};
    }
  }
  return {};
}

std::string obsidian_root_mismatch(const ObsidianRoot& root) {
  if (root.place == Place::above) {
    return "This folder lies inside the Obsidian vault " + root.vault.string() + "." +
           kWhyRootMatters;
  }
  if (root.place == Place::below) {
    return "There is an Obsidian vault below this folder, in " + root.vault.string() + "." +
           kWhyRootMatters;
  }
  return {};
}

}  // namespace daybook::service
