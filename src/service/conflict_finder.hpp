// SPDX-License-Identifier: MIT
//
// One file -> what kind of conflict copy it is, or that it is none: by its name, by its original
// and by what both hold. Asked for every candidate of a search, and once more directly before
// something is done. Reads through its own handles; one thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/service/conflicts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

/// The removals of tombstone files in the vault, beside those that are known already.
Result<lineage::TombstoneSet> gather_removals(base::Disk& disk,
                                              const std::string& workspace,
                                              const scan::VaultListing& listing,
                                              const std::vector<lineage::Tombstone>& known);

class ConflictFinder {
 public:
  /// All must outlive it.
  ConflictFinder(base::Disk& disk,
                 const std::string& workspace,
                 const lineage::TombstoneSet& removals)
      : disk_(disk), workspace_(workspace), removals_(removals) {}

  /// Nothing: it is no conflict copy, or not there any more.
  Result<std::optional<Conflict>> judge(const std::string& path);
  bool exists(const std::string& path);

 private:
  Result<std::optional<Conflict>> judge_note(const std::string& path);
  Result<std::optional<Conflict>> judge_memory_md(const std::string& path);
  Result<void> compare(const lineage::NameReading& name, Conflict& conflict);
  void explain_difference(const lineage::NameReading& name, Conflict& conflict);
  void judge_manifest(Conflict& conflict);
  Result<base::FileStat> stat(const std::string& path);

  base::Disk& disk_;
  const std::string& workspace_;
  const lineage::TombstoneSet& removals_;
};

/// Workspace-relative paths of files that are named like copies, sorted.
Result<std::vector<std::string>> conflict_candidates(base::Folder& workspace,
                                                     const scan::VaultListing& listing);

}  // namespace daybook::service
