// SPDX-License-Identifier: MIT
#include "daybook/store/transaction.hpp"

#include <string>
#include <utility>

namespace daybook::store {

NoWaiting::NoWaiting(Database& database) : database_(database) {
  const auto usual = database.integer("PRAGMA busy_timeout");
  usual_ms_ = usual ? usual->value_or(0) : 0;
  static_cast<void>(database.execute("PRAGMA busy_timeout = 0"));  // else it waits as before
}

NoWaiting::~NoWaiting() {
  static_cast<void>(database_.execute("PRAGMA busy_timeout = " + std::to_string(usual_ms_)));
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  TRY(database.execute(kind == Kind::immediate ? "BEGIN IMMEDIATE" : "BEGIN"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  if (database_ != nullptr) {
    // SQLite may have rolled back by itself already; there is nothing to tell then.
    static_cast<void>(database_->execute("ROLLBACK"));
  }
}

Result<void> Transaction::commit() {
  TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace daybook::store
