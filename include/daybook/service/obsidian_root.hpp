// SPDX-License-Identifier: MIT
//
// Workspace -> the Obsidian vault that it belongs to. Daybook writes links from the workspace's
// root and Obsidian reads them from the vault's, so they only meet when both are one folder. Looks
// at folders and reads no file; any thread. What cannot be looked at counts as no vault.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace daybook::service {

struct ObsidianRoot {
  enum class Place : std::uint8_t {
    nowhere,  ///< Obsidian has opened nothing near it
    here,     ///< as it should be
    above,    ///< the workspace lies inside the vault
    below,    ///< the vault lies in a folder of the workspace
  };
  Place place = Place::nowhere;
  std::filesystem::path vault;  ///< empty: nowhere
};

ObsidianRoot find_obsidian_root(const std::filesystem::path& workspace);

/// What is wrong with that and why it matters; empty: nothing.
std::string obsidian_root_mismatch(const ObsidianRoot& root);

}  // namespace daybook::service
