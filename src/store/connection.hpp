// SPDX-License-Identifier: MIT
//
// What a Database and its Statements share: SQLite's handle, statements that wait for their next
// use, and SQLite's complaints as our errors. One thread.
#pragma once

#include "daybook/store/database.hpp"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

struct sqlite3_stmt;
namespace SQLite {
class Database;
class Exception;
}  // namespace SQLite

namespace daybook::store {

/// Whether SQLite's complaint is about what stands in the file, not about reading it.
bool tells_damage(const SQLite::Exception& problem);
/// SQLite's words as our error; busy where waiting helps.
Error failure(const SQLite::Exception& problem, const std::string& path);

// SQLite's own statements: SQLiteCpp's cost as much for each value as SQLite itself does, and a new
// index has millions of values.
struct Finalize {
  void operator()(sqlite3_stmt* statement) const;
};
using Handle = std::unique_ptr<sqlite3_stmt, Finalize>;

struct Connection {
  Connection(std::unique_ptr<SQLite::Database> opened, std::string at);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  const std::unique_ptr<SQLite::Database> database;
  const std::string path;
  int log_pages = 0;  // in the -wal after the last commit, when held open
  // Prepared, reset and used by nobody now: preparing costs more than most statements do. After
  // the database, so that they go before it.
  std::unordered_multimap<std::string, Handle> idle;

  Error failure_of(int code);
  Result<Handle> prepare(const std::string& sql);
  void put_back(Handle&& statement);
};

struct Statement::Prepared {
  // Before the statement, so that it goes after it: SQLite does not close what is still in use.
  std::shared_ptr<Connection> connection;
  Handle statement;
  // The first bind that failed, told when the statement runs.
  std::optional<Error> bind_error;
  bool begun = false;  // and not reset since

  Prepared(std::shared_ptr<Connection> to, Handle prepared)
      : connection(std::move(to)), statement(std::move(prepared)) {}
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { connection->put_back(std::move(statement)); }

  void note_bound(int outcome);
  void reset();
};

}  // namespace daybook::store
