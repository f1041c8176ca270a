// SPDX-License-Identifier: MIT
#include "daybook/service/known_removals.hpp"

#include "daybook/state/removed_marks.hpp"
#include "daybook/state/tombstone_copies.hpp"
#include "daybook/store/database.hpp"

#include <span>

namespace daybook::service {
namespace {

lineage::TombstoneSet removals_in(const state::StateFolder& folder) {
  lineage::TombstoneSet removals;
  auto database = store::Database::open(folder.file("state.db"), {store::Access::read_only, 0});
  if (!database) {
    return removals;
  }
  const auto copies = state::TombstoneCopies(*database).all();
  if (copies) {
    for (const lineage::Tombstone& copy : *copies) {
      removals.add(copy);
    }
  }
  return removals;
}

}  // namespace

bool KnownRemovals::removes(const lineage::SessionToken& session) {
  if (state::has_removed_marks(folder_) &&
      !state::may_be_removed(folder_, std::span(&session, 1))) {
    return false;
  }
  if (!known_) {
    known_ = removals_in(folder_);
  }
  return known_->removes_session(session);
}

}  // namespace daybook::service
