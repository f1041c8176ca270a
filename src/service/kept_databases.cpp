// SPDX-License-Identifier: MIT
#include "service/kept_databases.hpp"

#include <utility>

namespace daybook::service {
namespace {

state::LeaseKeeping lease_keeping(Keeping keeping) {
  return keeping == Keeping::between_runs ? state::LeaseKeeping::between
                                          : state::LeaseKeeping::once;
}

}  // namespace

KeptDatabases::KeptDatabases(const state::StateFolder& folder, Keeping keeping)
    : folder_(folder), keeping_(keeping), lease_(folder, boot_clock_, lease_keeping(keeping)) {}

Result<state::StateDb*> KeptDatabases::state(std::vector<std::string>& notices) {
  if (state_ && !state_->is_current()) {
    state_.reset();
  }
  if (!state_) {
    TRY_ASSIGN(auto opened, state::StateDb::open(folder_));
    state_.emplace(std::move(opened));
    if (keeping_ == Keeping::between_runs) {
      state_->hold_open();
    }
    if (!state_->set_aside().empty()) {
      notices.push_back("state.db was damaged; it was set aside as " + state_->set_aside() +
                        " and made anew: telemetry and seals of this device begin again");
    }
  }
  return &*state_;
}

Result<index::OpenedIndex> KeptDatabases::index() {
  if (index_ && index_->is_current()) {
    TRY_ASSIGN(auto meta, index::read_meta(*index_));
    return index::OpenedIndex{index::Usability::usable, index_->share(), std::move(meta)};
  }
  index_.reset();
  older_days_ = {};
  TRY_ASSIGN(auto opened,
             index::open_index(folder_.file(index::kIndexFile), store::Access::read_write));
  if (opened.database) {
    index_.emplace(opened.database->share());
    if (keeping_ == Keeping::between_runs) {
      index_->hold_open();
    }
  }
  return opened;
}

Result<void> KeptDatabases::write_logs_back() {
  if (state_ && state_->is_current()) {
    TRY(state_->write_log_back());
  }
  if (store::Database* const index = open_index()) {
    TRY(index->write_log_back());
  }
  return lease_.write_log_back();
}

void KeptDatabases::rest() {
  if (keeping_ == Keeping::for_one_run) {
    forget();
  }
}

void KeptDatabases::forget() {
  state_.reset();
  index_.reset();
  older_days_ = {};
  lease_ = state::LeaseDesk(folder_, boot_clock_, lease_keeping(keeping_));
}

}  // namespace daybook::service
