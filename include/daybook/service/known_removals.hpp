// SPDX-License-Identifier: MIT
//
// Whether a session was removed on this device, or something learned forgotten or revoked, although
// its rows are still there: between the two it may have been cut off. Of sessions the marks are
// asked first, which costs a stat, and only then state.db, read only and without waiting. One
// thread.
#pragma once

#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace daybook::service {

class KnownRemovals {
 public:
  explicit KnownRemovals(const state::StateFolder& folder) : folder_(folder) {}
  bool removes(const lineage::SessionToken& session);
  bool removes_learning(std::uint64_t id, std::string_view agent);

 private:
  const lineage::TombstoneSet& known();

  const state::StateFolder& folder_;
  std::optional<lineage::TombstoneSet> known_;
};

}  // namespace daybook::service
