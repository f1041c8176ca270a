// SPDX-License-Identifier: MIT
//
// The second copy of every removal, in state.db: losing the file or losing the copy resurrects
// nothing. Keyed by token, time and scope, since a session can lose several files one after the
// other. Belongs to the StateDb's thread; a failed call changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <vector>

namespace daybook::state {

class TombstoneCopies {
 public:
  explicit TombstoneCopies(store::Database& database) : database_(database) {}

  /// Replaces the copy of the same token, time and scope; one that was lifted stays lifted.
  Result<void> put(const lineage::Tombstone& tombstone);
  /// In the order of token, time and scope.
  Result<std::vector<lineage::Tombstone>> all();
  /// Lifts every removal of that token that is in force; how many there were.
  Result<std::int64_t> lift(const lineage::SessionToken& token, lineage::Timestamp time);

 private:
  store::Database& database_;
};

}  // namespace daybook::state
