// SPDX-License-Identifier: MIT
//
// Whether a session was removed on this device although its rows are still there: between the two a
// removal may have been cut off. Asked of the marks first, which costs a stat, and only then of
// state.db, read only and without waiting. One thread.
#pragma once

#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_folder.hpp"

#include <optional>

namespace daybook::service {

class KnownRemovals {
 public:
  explicit KnownRemovals(const state::StateFolder& folder) : folder_(folder) {}
  bool removes(const lineage::SessionToken& session);

 private:
  const state::StateFolder& folder_;
  std::optional<lineage::TombstoneSet> known_;
};

}  // namespace daybook::service
