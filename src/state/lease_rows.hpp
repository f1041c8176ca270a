// SPDX-License-Identifier: MIT
//
// The rows of lease.db <-> values. Each row carries a check over its fields, because one flipped
// bit in a time or a number could otherwise keep everybody from publishing for ever. Used inside
// the caller's transaction; one object belongs to one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/state/lease.hpp"
#include "daybook/store/database.hpp"
#include "state/process_identity.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace daybook::state {

struct LeaseRow {
  std::int64_t fence = 0;
  std::string holder;  ///< random; empty: nobody holds it
  ProcessIdentity process;
  std::string command;
  std::int64_t acquired_at = 0;  ///< BootClock
  std::int64_t expires_at = 0;
  std::string boot_id;
};

/// "pid 123 (daybook reindex) on host".
std::string to_text(const LeaseRow& row);

Result<void> make_lease_tables(store::Database& database);
/// Every row's check, and none of them twice.
Result<bool> lease_rows_are_sound(store::Database& database);

Result<std::optional<LeaseRow>> read_lease(store::Database& database);
Result<void> write_lease(store::Database& database, const LeaseRow& row);

Result<std::optional<Publication>> read_published(store::Database& database,
                                                  const std::string& projection);
Result<void> write_published(store::Database& database,
                             const Publication& publication,
                             std::int64_t fence);

}  // namespace daybook::state
