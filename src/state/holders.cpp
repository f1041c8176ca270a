// SPDX-License-Identifier: MIT
#include "daybook/state/holders.hpp"

#include "daybook/store/database.hpp"
#include "state/file_lock.hpp"
#include "state/lease_rows.hpp"
#include "state/process_identity.hpp"

namespace daybook::state {
namespace {

bool is_held(const LeaseRow& row, const BootClock& clock) {
  const std::int64_t now = clock.now_ms();
  const bool in_time =
      row.boot_id == clock.boot_id() && row.acquired_at <= now && now < row.expires_at;
  const bool is_here = row.process.host == this_process().host;
  return !row.holder.empty() && in_time &&
         (!is_here || may_be_alive(row.process.pid, row.process.started));
}

}  // namespace

std::optional<std::string> pipeline_holder(const StateFolder& folder) {
  const std::string path = folder.file("pipeline.lock");
  // Asked only when somebody has left a name there: a look takes the lock for a moment, and should
  // not be in the way of a pass that begins just then.
  std::string note = read_lock_note(path);
  return note.empty() || !is_locked(path) ? std::nullopt : std::optional(std::move(note));
}

std::optional<std::string> abandoned_lock_note(const StateFolder& folder) {
  const std::string path = folder.file("pipeline.lock");
  std::string note = read_lock_note(path);
  return note.empty() || is_locked(path) ? std::nullopt : std::optional(std::move(note));
}

std::optional<std::string> lease_holder(const StateFolder& folder, const BootClock& clock) {
  auto database = store::Database::open(folder.file("lease.db"), {store::Access::read_only, 100});
  if (!database) {
    return std::nullopt;
  }
  const auto row = read_lease(*database);
  return row && *row && is_held(**row, clock) ? std::optional(to_text(**row)) : std::nullopt;
}

}  // namespace daybook::state
