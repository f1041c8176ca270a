// SPDX-License-Identifier: MIT
#include "state/durable_database.hpp"

#include "daybook/base/safety.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/store/transaction.hpp"
#include "state/file_lock.hpp"

#include <cerrno>
#include <chrono>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::state {
namespace {

using store::Database;
using store::Transaction;

// Long enough for another process to make the tables, short enough to be told about a stopped one.
constexpr std::chrono::milliseconds kLongestMaking{3000};

constexpr const char* kMetaTable =
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";

enum class Condition : std::uint8_t { ready, missing, damaged };

struct Attempt {
  Condition condition = Condition::missing;
  std::optional<Database> database;
};

Error newer(const std::string& path) {
  return {ErrorKind::usage,
          "this database was written by a newer daybook",
          path,
          "Upgrade daybook, or name another folder with --state-dir."};
}

bool is_missing(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) != 0 || (S_ISREG(status.st_mode) && status.st_size == 0);
}

Result<std::int64_t> pragma(Database& database, const char* name) {
  TRY_ASSIGN(const auto value, database.integer(std::string("PRAGMA ").append(name)));
  return value.value_or(0);
}

Result<void> set_up_connection(Database& database, const DurableDatabase& wanted) {
  TRY(
      database.execute("PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; "
                       "PRAGMA trusted_schema=OFF"));
  const bool waits = wanted.survives_power_cut && base::keeps(base::Safety::state_sync);
  return database.execute(waits ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
}

/// What the file says of itself, in its header and again in a row.
struct Claim {
  std::int64_t application_id = 0;
  std::int64_t header_version = 0;
  std::string application;
  std::int64_t version = 0;
  std::string tables;  // a hash of their declarations
};

/// The declarations as SQLite keeps them, as one hash: a flipped bit there renames a column.
Result<std::string> hash_of_tables(Database& database) {
  TRY_ASSIGN(auto select,
             database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master"
                              " WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"));
  std::string declarations;
  TRY(select.each([&declarations](const store::Row& row) {
    for (int column = 0; column < 4; ++column) {
      declarations.append(row.text(column)).append("\n");
    }
  }));
  return base::to_hex(base::sha256(declarations));
}

Result<Claim> read_claim(Database& database) {
  Claim claim;
  TRY_ASSIGN(claim.application_id, pragma(database, "application_id"));
  TRY_ASSIGN(claim.header_version, pragma(database, "user_version"));
  TRY_ASSIGN(const auto meta, database.text("SELECT sql FROM sqlite_master WHERE name = 'meta'"));
  if (meta != kMetaTable) {
    return claim;
  }
  TRY_ASSIGN(const auto application,
             database.text("SELECT value FROM meta WHERE name = 'application'"));
  TRY_ASSIGN(const auto version,
             database.integer("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'schema'"));
  TRY_ASSIGN(const auto tables, database.text("SELECT value FROM meta WHERE name = 'tables'"));
  claim.tables = tables.value_or("");
  claim.application = application.value_or("");
  claim.version = version.value_or(0);
  return claim;
}

Result<void> write_claim(Database& database, const DurableDatabase& wanted) {
  TRY(database.execute(std::string("PRAGMA application_id=")
                           .append(std::to_string(wanted.application_id))
                           .append("; PRAGMA user_version=")
                           .append(std::to_string(wanted.schema))));
  TRY_ASSIGN(auto insert, database.prepare("INSERT OR REPLACE INTO meta(name, value) VALUES(?,?)"));
  TRY_ASSIGN(const std::string tables, hash_of_tables(database));
  TRY(insert.run("tables", tables));
  TRY(insert.run("application", wanted.application));
  return insert.run("schema", std::to_string(wanted.schema));
}

Result<void> bring_forward(Database& database, const DurableDatabase& wanted) {
  TRY_ASSIGN(Transaction transaction, Transaction::begin(database));
  // Asked again inside: another process may have done it meanwhile.
  TRY_ASSIGN(const Claim claim, read_claim(database));
  if (claim.version == 0) {
    TRY(database.execute(kMetaTable));
  }
  if (claim.version < wanted.schema) {
    TRY(wanted.bring_forward(database, claim.version));
  }
  TRY(write_claim(database, wanted));
  return transaction.commit();
}

/// Looks at a file that is there; false: not ours, or its rows make no sense.
Result<bool> make_ready(Database& database, const DurableDatabase& wanted) {
  TRY_ASSIGN(const Claim claim, read_claim(database));
  if (database.is_read_only()) {
    // Damage, if the system would let us write.
    if (::access(wanted.path.c_str(), W_OK) == 0) {
      return false;
    }
    return base::system_error("opening a database for writing", wanted.path, errno);
  }
  const bool agrees = claim.header_version == claim.version;
  if (claim.application_id != wanted.application_id && claim.application != wanted.application) {
    return false;
  }
  if (!agrees && claim.header_version != wanted.schema && claim.version != wanted.schema) {
    return false;
  }
  if (agrees && claim.version > wanted.schema) {
    return newer(wanted.path);
  }
  TRY_ASSIGN(const std::string tables, hash_of_tables(database));
  if (tables != claim.tables) {
    return false;
  }
  if (wanted.soundness == Soundness::all_pages) {
    TRY_ASSIGN(const bool sound, database.is_sound());
    if (!sound) {
      return false;
    }
  }
  TRY(set_up_connection(database, wanted));
  if (agrees && claim.version < wanted.schema) {
    TRY(bring_forward(database, wanted));
  } else if (!agrees || claim.application_id != wanted.application_id ||
             claim.application != wanted.application) {
    TRY(write_claim(database, wanted));
  }
  return wanted.rows_are_sound ? wanted.rows_are_sound(database) : Result<bool>(true);
}

Result<Attempt> look(const DurableDatabase& wanted) {
  if (is_missing(wanted.path)) {
    return Attempt{Condition::missing, std::nullopt};
  }
  TRY_ASSIGN(auto database,
             Database::open(wanted.path, {store::Access::read_write, wanted.busy_timeout_ms}));
  auto ready = make_ready(database, wanted);
  if (!ready) {
    const ErrorKind kind = ready.error().kind;
    if (kind != ErrorKind::io && kind != ErrorKind::damaged) {
      return std::move(ready).error();
    }
    // A full or failing disk is no reason to throw a good file away: ask for the pages themselves.
    TRY_ASSIGN(const bool sound, database.is_sound());
    if (sound && kind == ErrorKind::io) {
      return std::move(ready).error();
    }
  }
  if (!ready || !*ready) {
    return Attempt{Condition::damaged, std::nullopt};
  }
  return Attempt{Condition::ready, std::move(database)};
}

Result<Database> make(const DurableDatabase& wanted) {
  // A -wal or -shm left by a deleted file would be taken for the new one's.
  TRY(store::remove_database(wanted.path));
  TRY_ASSIGN(auto database,
             Database::open(wanted.path, {store::Access::create, wanted.busy_timeout_ms}));
  TRY(set_up_connection(database, wanted));
  TRY(bring_forward(database, wanted));
  return database;
}

}  // namespace

Result<Database> look_at_durable(const DurableDatabase& wanted) {
  if (is_missing(wanted.path)) {
    return Error{ErrorKind::not_found, "there is no such database yet", wanted.path, {}};
  }
  TRY_ASSIGN(auto database,
             Database::open(wanted.path, {store::Access::read_only, wanted.busy_timeout_ms}));
  TRY_ASSIGN(const Claim claim, read_claim(database));
  if (claim.application_id != wanted.application_id && claim.application != wanted.application) {
    return Error{ErrorKind::damaged,
                 "this is no database of ours",
                 wanted.path,
                 "'daybook reindex' sets it aside and makes a new one."};
  }
  if (claim.version > wanted.schema) {
    return newer(wanted.path);
  }
  if (claim.version < wanted.schema) {
    return Error{ErrorKind::usage,
                 "this database was written by an older daybook",
                 wanted.path,
                 "'daybook reindex' brings it forward."};
  }
  TRY(database.execute("PRAGMA trusted_schema=OFF"));
  return database;
}

Result<OpenedDatabase> open_durable(const DurableDatabase& wanted) {
  TRY_ASSIGN(Attempt first, look(wanted));
  if (first.condition == Condition::ready) {
    return OpenedDatabase{std::move(*first.database), {}};
  }
  const std::string lock_path = std::string(wanted.path).append(".lock");
  TRY_ASSIGN(const auto lock, FileLock::acquire(lock_path, kLongestMaking));
  if (!lock) {
    return Error{ErrorKind::busy,
                 "another process is making this database",
                 wanted.path,
                 "Try again in a moment."};
  }
  TRY_ASSIGN(Attempt second, look(wanted));
  if (second.condition == Condition::ready) {
    return OpenedDatabase{std::move(*second.database), {}};
  }
  std::string aside;
  if (second.condition == Condition::damaged) {
    TRY_ASSIGN(aside, store::set_aside(wanted.path));
  }
  TRY_ASSIGN(auto database, make(wanted));
  return OpenedDatabase{std::move(database), std::move(aside)};
}

}  // namespace daybook::state
