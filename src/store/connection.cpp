// SPDX-License-Identifier: MIT
#include "store/connection.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <string_view>

namespace daybook::store {
namespace {

/// What a person can do about it.
std::string hint_for(int code) {
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "Another process is using it; try again in a moment.";
    case SQLITE_FULL:
      return "Free some space on that disk, then try again.";
    case SQLITE_IOERR:
      return "The disk is full, has failed or was taken away: look into the system's log (dmesg), "
             "then try again.";
    case SQLITE_CANTOPEN:
      return "Check that you may write into its folder, that the disk has room, and how many files "
             "may be open (ulimit -n); then try again.";
    case SQLITE_READONLY:
      return "Check that you may write the file and its folder, and that the disk is not mounted "
             "read-only; then try again.";
    default:
      return {};
  }
}

}  // namespace

bool tells_damage(const SQLite::Exception& problem) {
  const int code = problem.getErrorCode() & 0xFF;
  // Of a format that it does not know, by a byte of the header, it tells in words alone.
  const bool other_format =
      code == SQLITE_ERROR && std::string_view(problem.what()) == "unsupported file format";
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || other_format ||
         problem.getExtendedErrorCode() == SQLITE_IOERR_SHORT_READ;
}

Error failure(const SQLite::Exception& problem, const std::string& path) {
  const int code = problem.getErrorCode() & 0xFF;
  const bool busy = code == SQLITE_BUSY || code == SQLITE_LOCKED;
  const bool damaged = tells_damage(problem);
  return {busy      ? ErrorKind::busy
          : damaged ? ErrorKind::damaged
                    : ErrorKind::io,
          std::string("the database could not be used: ").append(problem.what()),
          path,
          hint_for(code)};
}

void Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Connection::Connection(std::unique_ptr<SQLite::Database> opened, std::string at)
    : database(std::move(opened)), path(std::move(at)) {}
Connection::~Connection() = default;

Error Connection::failure_of(int code) { return failure({database->getHandle(), code}, path); }

Result<Handle> Connection::prepare(const std::string& sql) {
  const auto found = idle.find(sql);
  if (found != idle.end()) {
    Handle statement = std::move(found->second);
    idle.erase(found);
    return statement;
  }
  sqlite3_stmt* prepared = nullptr;
  const int outcome = sqlite3_prepare_v2(
      database->getHandle(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
  if (outcome != SQLITE_OK) {
    return failure_of(outcome);
  }
  return Handle(prepared);
}

void Connection::put_back(Handle&& statement) {
  constexpr std::size_t kMostIdle = 64;
  std::string sql = sqlite3_sql(statement.get());
  // Some pragmas do their work while they are prepared.
  if (idle.size() >= kMostIdle || sql.starts_with("PRAGMA")) {
    return;
  }
  sqlite3_reset(statement.get());
  sqlite3_clear_bindings(statement.get());
  idle.emplace(std::move(sql), std::move(statement));
}

}  // namespace daybook::store
