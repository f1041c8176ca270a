// SPDX-License-Identifier: MIT
#include "learn/removing.hpp"

#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/lineage/learning.hpp"

#include <utility>

namespace daybook::learn {

Result<Removing> begin_removing(const Desk& desk,
                                const std::string& command,
                                const std::string& reason) {
  TRY_ASSIGN(std::string storable, storable_reason(desk, reason));
  TRY_ASSIGN(auto lock, state::PipelineLock::acquire(desk.folder, {command, desk.now, desk.wait}));
  TRY_ASSIGN(auto state, state::StateDb::open(desk.folder));
  TRY(capture::resume_removals(desk.disk, desk.folder, state, desk.now));
  return Removing{std::move(storable), std::move(lock), std::move(state)};
}

Result<lineage::Tombstone> tombstone_for(const Desk& desk,
                                         const std::string& agent_id,
                                         std::uint64_t id,
                                         lineage::TombstoneScope scope,
                                         const std::string& reason) {
  lineage::Tombstone tombstone;
  tombstone.agent_id = agent_id;
  tombstone.token = lineage::learning_token(agent_id, id);
  tombstone.learning_id = id;
  tombstone.scope = scope;
  tombstone.removed_at = desk.now;
  tombstone.reason = reason;
  TRY_ASSIGN(const auto root, desk.disk.open_root(desk.folder.workspace()));
  TRY_ASSIGN(const auto memory, root->open_folder("memory"));
  const auto name = [&tombstone] {
    const std::string path = canon::tombstone_path(tombstone);
    return path.substr(path.rfind('/') + 1);
  };
  while (memory->stat(name())) {
    ++tombstone.removed_at->ms;
  }
  return tombstone;
}

}  // namespace daybook::learn
