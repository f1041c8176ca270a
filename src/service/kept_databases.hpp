// SPDX-License-Identifier: MIT
//
// The databases of the state folder as a pipeline uses them from run to run. A service that follows
// single changes would spend most of its time opening them: reading their schema and pages again,
// and, as the last to close one, writing its whole log back. So they stay open, idle and in
// nobody's way, for as long as their paths name the same files; whatever was replaced, deleted or
// is in doubt is opened anew, with all the checks of opening. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/boot_clock.hpp"
#include "daybook/state/lease.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "service/older_days.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

class KeptDatabases {
 public:
  /// `folder` must outlive it.
  KeptDatabases(const state::StateFolder& folder, Keeping keeping);

  /// Valid until the next call of this or of forget(). Tells in `notices` if one was set aside.
  Result<state::StateDb*> state(std::vector<std::string>& notices);
  /// For change, with what it says of itself now; the database in it is a handle of the one that is
  /// kept.
  Result<index::OpenedIndex> index();
  /// Nothing: it is not open now, or no longer the one that its path names.
  store::Database* open_index() { return index_ && index_->is_current() ? &*index_ : nullptr; }
  state::LeaseDesk& lease() { return lease_; }
  /// As the index had them that index() gave last.
  OlderDays& older_days() { return older_days_; }

  /// When there is time: the logs, which nobody writes back in the middle of a run.
  Result<void> write_logs_back();
  /// After a run: what is not to be kept is closed.
  void rest();
  /// After a failure: all of it is opened anew.
  void forget();

 private:
  const state::StateFolder& folder_;
  Keeping keeping_;
  state::SystemBootClock boot_clock_;
  state::LeaseDesk lease_;
  std::optional<state::StateDb> state_;
  std::optional<store::Database> index_;
  OlderDays older_days_;
};

}  // namespace daybook::service
