// SPDX-License-Identifier: MIT
//
// What a removal means and somebody brought back goes again: found by the index, believed only
// after one more look at the file.
#include "capture/removed_file.hpp"
#include "daybook/canon/unlink_file.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/lineage/learning.hpp"

#include <algorithm>

namespace daybook::capture {
namespace {

/// The name of a note of something learned holds words of what it says.
std::string auditable(const ReadFile& file) {
  return file.learning_id
             ? std::string(lineage::kLearningsFolder) + "/" + std::to_string(*file.learning_id)
             : file.path;
}

}  // namespace

Result<std::vector<std::string>> purgeable(index::Reader& reader) {
  std::vector<std::string> paths;
  TRY(reader.removed_files([&paths](const index::FileRow& row) { paths.push_back(row.path()); }));
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::vector<std::string>> purge(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       state::StateDb& state,
                                       const std::vector<std::string>& paths,
                                       lineage::Timestamp now) {
  lineage::TombstoneSet removals;
  TRY_ASSIGN(const auto tombstones, state.tombstones().all());
  for (const lineage::Tombstone& tombstone : tombstones) {
    removals.add(tombstone);
  }
  std::vector<std::string> purged;
  for (const std::string& path : paths) {
    TRY_ASSIGN(const auto file, read_file(disk, folder.workspace(), path));
    if (!file || !is_meant(removals, *file)) {
      continue;
    }
    TRY(state.audit().append({now, state::AuditAction::purge, auditable(*file), {}, {}}));
    TRY(canon::unlink_file(folder.workspace(), path));
    purged.push_back(path);
  }
  return purged;
}

}  // namespace daybook::capture
