// SPDX-License-Identifier: MIT
//
// What holds for a while on a connection: a transaction, and not waiting for other processes. Both
// borrow the Database, and end with their scope: whatever failed in between, what was not committed
// is rolled back.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>

namespace daybook::store {

/// While it lives, what another process holds is busy at once, and not after the usual wait.
class NoWaiting {
 public:
  explicit NoWaiting(Database& database);
  NoWaiting(const NoWaiting&) = delete;
  NoWaiting& operator=(const NoWaiting&) = delete;
  ~NoWaiting();

 private:
  Database& database_;
  std::int64_t usual_ms_ = 0;
};

/// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind : std::uint8_t { deferred, immediate };

  static Result<Transaction> begin(Database& database, Kind kind = Kind::immediate);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace daybook::store
