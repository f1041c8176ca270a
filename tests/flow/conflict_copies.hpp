// SPDX-License-Identifier: MIT
//
// What the tests of conflict copies share: the names that synchronisers give them, and finding and
// resolving them in a vault.
#pragma once

#include "daybook/service/conflicts.hpp"
#include "daybook/state/trash.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace daybook::test {

namespace fs = std::filesystem;
using service::Conflict;
using service::ConflictAction;
using service::ConflictKind;
using service::ConflictOutcome;
using service::Conflicts;
using service::ConflictVerdict;
using support::IndexedVault;
using support::SessionFiles;

inline const std::string kSyncthing = ".sync-conflict-20260328-223406-ABCDEFG";
inline const std::string kObsidian = " (Conflicted copy phone 202603282234)";
inline const std::string kDropbox = " (Max's conflicted copy 2026-03-28)";
inline const std::string kNextcloud = " (conflicted copy 2026-03-28 223406)";
inline const std::string kIcloud = " 2";
inline const std::string kDrive = " (1)";
inline const std::string kOneDrive = "-LAPTOP";

inline SessionFiles session() { return {"default", "key-1", "2026-03-20T10:00:00.000Z"}; }

inline std::string with_mark(const std::string& path, const std::string& mark) {
  return path.substr(0, path.size() - 3) + mark + ".md";
}

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Every file below a folder with its bytes.
inline std::map<std::string, std::string> tree(const std::string& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), root).string()] = bytes_of(entry.path());
    }
  }
  return files;
}

inline std::vector<Conflict> find(const IndexedVault& vault) {
  const auto clock = vault.clock();
  auto found = Conflicts(base::real_disk(), vault.folder(), clock).find();
  INFO((found ? "" : found.error().message));
  REQUIRE(found);
  return std::move(found).value();
}

inline Conflict only(const IndexedVault& vault) {
  const auto found = find(vault);
  REQUIRE(found.size() == 1);
  return found.front();
}

inline std::vector<ConflictOutcome> resolve(const IndexedVault& vault,
                                            const std::vector<Conflict>& plan,
                                            base::Disk& disk = base::real_disk()) {
  const auto clock = vault.clock();
  auto outcomes = Conflicts(disk, vault.folder(), clock).resolve(plan);
  INFO((outcomes ? "" : outcomes.error().message));
  REQUIRE(outcomes);
  return std::move(outcomes).value();
}

inline std::vector<std::string> trashed(const IndexedVault& vault) {
  std::vector<std::string> bytes;
  const auto items = state::Trash(vault.folder()).items();
  REQUIRE(items);
  for (const auto& item : *items) {
    bytes.push_back(bytes_of(item.full_path()));
  }
  return bytes;
}

inline bool holds(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace daybook::test
