// SPDX-License-Identifier: MIT
//
// Tombstones that are there already: lifted, and written again from their copies when they have
// been lost.
#include "daybook/base/path.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"

namespace daybook::capture {

Result<std::size_t> lift(base::Disk& disk,
                         const state::StateFolder& folder,
                         state::StateDb& state,
                         lineage::SessionToken token,
                         lineage::Timestamp now) {
  TRY_ASSIGN(const auto tombstones, state.tombstones().all());
  std::size_t lifted = 0;
  for (const lineage::Tombstone& tombstone : tombstones) {
    if (tombstone.token != token || tombstone.lifted_at) {
      continue;
    }
    ++lifted;
    const auto written = canon::lift_tombstone(
        disk, {folder.workspace(), canon::tombstone_path(tombstone), folder.file("locks")}, now);
    if (!written && written.error().kind != ErrorKind::not_found) {
      return written.error();
    }
  }
  if (lifted > 0) {
    TRY(state.tombstones().lift(token, now));
    TRY(state.audit().append({now, state::AuditAction::unremove, token.to_string(), {}, {}}));
  }
  return lifted;
}

Result<std::vector<std::string>> restore_tombstones(base::Disk& disk,
                                                    const state::StateFolder& folder,
                                                    state::StateDb& state) {
  std::vector<std::string> notices;
  TRY_ASSIGN(const auto tombstones, state.tombstones().all());
  if (tombstones.empty() || !base::keeps(base::Safety::tombstone_copy)) {
    return notices;
  }
  TRY_ASSIGN(const auto root, disk.open_root(folder.workspace()));
  const auto memory = root->open_folder("memory");
  if (!memory) {
    return notices;  // the pass that follows says what is wrong with it
  }
  for (const lineage::Tombstone& tombstone : tombstones) {
    const std::string path = canon::tombstone_path(tombstone);
    const auto there = (*memory)->stat(std::string(base::file_name_of(path)));
    if (there || there.error().kind != ErrorKind::not_found ||
        !lineage::is_valid_agent_id(tombstone.agent_id)) {
      continue;
    }
    TRY(canon::write_tombstone(disk, folder.workspace(), tombstone));
    notices.push_back("a tombstone that was missing from the vault was written again: " + path);
  }
  return notices;
}

}  // namespace daybook::capture
