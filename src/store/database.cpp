// SPDX-License-Identifier: MIT
#include "daybook/store/database.hpp"

#include "store/setup.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace daybook::store {
namespace {

constexpr mode_t kPrivate = 0600;

/// Whether SQLite's complaint is about what stands in the file, not about reading it.
bool tells_damage(const SQLite::Exception& problem) {
  const int code = problem.getErrorCode() & 0xFF;
  // Of a format that it does not know, by a byte of the header, it tells in words alone.
  const bool other_format =
      code == SQLITE_ERROR && std::string_view(problem.what()) == "unsupported file format";
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || other_format ||
         problem.getExtendedErrorCode() == SQLITE_IOERR_SHORT_READ;
}

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

/// SQLite's words as our error; busy where waiting helps.
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

/// SQLite would make the file with the umask's mode, and through a link. A file that is there is
/// only looked at: closing any descriptor of it would drop the locks that another connection of
/// this process holds on it.
Result<void> make_private_file(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) {
      return Error{ErrorKind::not_regular,
                   "opening a database: this is no regular file",
                   path,
                   "Move it away; Daybook makes a new one."};
    }
    return {};
  }
  const int file =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kPrivate);
  if (file < 0) {
    if (errno == EEXIST) {
      return {};  // another process was quicker
    }
    return base::system_error("opening a database", path, errno);
  }
  ::fchmod(file, kPrivate);
  ::close(file);
  return {};
}

}  // namespace

// SQLite's own statements: SQLiteCpp's cost as much for each value as SQLite itself does, and a new
// index has millions of values.
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Handle = std::unique_ptr<sqlite3_stmt, Finalize>;

struct Connection {
  SQLite::Database database;
  std::string path;
  int log_pages = 0;  // in the -wal after the last commit, when held open
  // Prepared, reset and used by nobody now: preparing costs more than most statements do. After
  // the database, so that they go before it.
  std::unordered_multimap<std::string, Handle> idle = {};

  Error failure_of(int code) { return failure({database.getHandle(), code}, path); }

  Result<Handle> prepare(const std::string& sql) {
    const auto found = idle.find(sql);
    if (found != idle.end()) {
      Handle statement = std::move(found->second);
      idle.erase(found);
      return statement;
    }
    sqlite3_stmt* prepared = nullptr;
    const int outcome = sqlite3_prepare_v2(
        database.getHandle(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
    if (outcome != SQLITE_OK) {
      return failure_of(outcome);
    }
    return Handle(prepared);
  }

  void put_back(Handle&& statement) {
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
};

// --- Statement ---

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

  void note_bound(int outcome) {
    if (outcome != SQLITE_OK && !bind_error) {
      bind_error = connection->failure_of(outcome);
    }
  }

  void reset() {
    if (begun) {
      sqlite3_reset(statement.get());
      begun = false;
    }
  }
};

namespace {

sqlite3_stmt* handle_of(void* row) { return static_cast<sqlite3_stmt*>(row); }

/// Of an empty view, too, whose pointer SQLite would take for NULL.
const char* begin_of(std::string_view bytes) { return bytes.data() == nullptr ? "" : bytes.data(); }

}  // namespace

std::int64_t Row::integer(int column) const {
  return sqlite3_column_int64(handle_of(statement_), column);
}

double Row::real(int column) const { return sqlite3_column_double(handle_of(statement_), column); }

std::string_view Row::text(int column) const {
  // Pointer first: asking for it may convert the value, and that decides the length.
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_of(statement_), column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_of(statement_), column))};
}

bool Row::is_null(int column) const {
  return sqlite3_column_type(handle_of(statement_), column) == SQLITE_NULL;
}

std::optional<std::int64_t> Row::optional_integer(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

Statement::Statement(std::unique_ptr<Prepared> prepared) : prepared_(std::move(prepared)) {}
Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;

void Statement::rewind() {
  prepared_->reset();
  prepared_->bind_error.reset();
}

// An argument that SQLite refuses (a text beyond its limit) is told when the statement runs. Texts
// and blobs are used during the call that binds them only, so no copy is made.
void Statement::bind(int place, std::int64_t value) {
  prepared_->note_bound(sqlite3_bind_int64(prepared_->statement.get(), place, value));
}
void Statement::bind(int place, double value) {
  prepared_->note_bound(sqlite3_bind_double(prepared_->statement.get(), place, value));
}
void Statement::bind(int place, std::nullptr_t) {
  prepared_->note_bound(sqlite3_bind_null(prepared_->statement.get(), place));
}
void Statement::bind(int place, const std::string& text) { bind(place, std::string_view(text)); }
void Statement::bind(int place, std::string_view text) {
  prepared_->note_bound(sqlite3_bind_text64(
      prepared_->statement.get(), place, begin_of(text), text.size(), SQLITE_STATIC, SQLITE_UTF8));
}
// Zero-terminated, as this is the only text that SQLite does not copy to terminate it itself.
void Statement::bind(int place, Borrowed text) {
  prepared_->note_bound(
      sqlite3_bind_text(prepared_->statement.get(), place, text.text.c_str(), -1, SQLITE_STATIC));
}
void Statement::bind(int place, Blob blob) {
  prepared_->note_bound(sqlite3_bind_blob64(
      prepared_->statement.get(), place, begin_of(blob.bytes), blob.bytes.size(), SQLITE_STATIC));
}

Row Statement::row() const { return Row(prepared_->statement.get()); }

Result<bool> Statement::step() {
  Prepared& prepared = *prepared_;
  if (prepared.bind_error) {
    return *prepared.bind_error;
  }
  prepared.begun = true;
  const int outcome = sqlite3_step(prepared.statement.get());
  if (outcome == SQLITE_ROW) {
    return true;
  }
  std::optional<Error> error;
  if (outcome != SQLITE_DONE) {
    error = prepared.connection->failure_of(outcome);
  }
  // At once, so that a reading transaction does not outlive the reading.
  prepared.reset();
  return error ? Result<bool>(std::move(*error)) : Result<bool>(false);
}

Result<void> Statement::finish() {
  for (;;) {
    TRY_ASSIGN(const bool more, step());
    if (!more) {
      return {};
    }
  }
}

// --- Database ---

Database::Database(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path, const OpenOptions& options) {
  set_up_sqlite();
  keep_temporaries_beside(path);
  if (options.access == Access::create) {
    TRY(make_private_file(path));
  } else if (::access(path.c_str(), F_OK) != 0) {
    return base::system_error("opening a database", path, errno);
  }
  // A connection belongs to one thread, so it needs no lock of its own.
  const int flags =
      (options.access == Access::read_only ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE) |
      SQLite::OPEN_NOMUTEX;
  try {
    return Database(std::make_shared<Connection>(
        Connection{SQLite::Database(path, flags, options.busy_timeout_ms), path}));
  } catch (const SQLite::Exception& problem) {
    return failure(problem, path);
  }
}

Result<void> Database::execute(const std::string& sql) {
  try {
    connection_->database.exec(sql);
    return {};
  } catch (const SQLite::Exception& problem) {
    return failure(problem, connection_->path);
  }
}

Result<Statement> Database::prepare(const std::string& sql) {
  TRY_ASSIGN(Handle prepared, connection_->prepare(sql));
  return Statement(std::make_unique<Statement::Prepared>(connection_, std::move(prepared)));
}

Result<std::optional<std::int64_t>> Database::integer(const std::string& sql) {
  TRY_ASSIGN(Statement statement, prepare(sql));
  return statement.integer();
}

Result<std::optional<std::string>> Database::text(const std::string& sql) {
  TRY_ASSIGN(Statement statement, prepare(sql));
  std::optional<std::string> found;
  TRY(statement.each([&found](const Row& row) {
    if (!row.is_null(0)) {
      found = std::string(row.text(0));
    }
    return Visit::stop;
  }));
  return found;
}

std::int64_t Database::last_insert_id() const { return connection_->database.getLastInsertRowid(); }
std::int64_t Database::changes() const { return connection_->database.getChanges(); }
const std::string& Database::path() const { return connection_->path; }
void* Database::native_handle() const { return connection_->database.getHandle(); }

Result<void> Database::load_extension(const std::string& path) {
  sqlite3* const handle = connection_->database.getHandle();
  // For C alone: no SQL text, of whomever, can load one.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  char* words = nullptr;
  const int outcome = sqlite3_load_extension(handle, path.c_str(), nullptr, &words);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  const std::string why = words != nullptr ? words : "it was refused";
  sqlite3_free(words);
  if (outcome != SQLITE_OK) {
    return Error{ErrorKind::io, "the extension of SQLite cannot be loaded: " + why, path, {}};
  }
  return {};
}

bool Database::is_current() const {
  int moved = 0;
  const int outcome = sqlite3_file_control(
      connection_->database.getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return outcome == SQLITE_OK && moved == 0;
}

void Database::hold_open() {
  sqlite3* const handle = connection_->database.getHandle();
  int persist = 1;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persist);
  sqlite3_wal_hook(
      handle,
      [](void* connection, sqlite3* database, const char* name, int pages) {
        // Only so that one long pass does not fill the disk; else write_log_back() comes before.
        constexpr int kMostPages = 4096;
        static_cast<Connection*>(connection)->log_pages = pages;
        if (pages >= kMostPages) {
          // One that is held up is tried again at the next commit.
          sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
        }
        return SQLITE_OK;
      },
      connection_.get());
  static_cast<void>(execute("PRAGMA journal_size_limit = 4194304"));
}

Result<void> Database::write_log_back() {
  // The first commit after it waits for the disk once more, so a few pages are left in the log.
  constexpr int kFewPages = 128;
  if (connection_->log_pages < kFewPages) {
    return {};
  }
  TRY_ASSIGN(Statement statement, prepare("PRAGMA wal_checkpoint(PASSIVE)"));
  return statement.run();
}

bool Database::is_read_only() const {
  return sqlite3_db_readonly(connection_->database.getHandle(), "main") == 1;
}

Result<bool> Database::is_sound() {
  try {
    SQLite::Statement check(connection_->database, "PRAGMA quick_check(1)");
    return check.executeStep() && check.getColumn(0).getString() == "ok";
  } catch (const SQLite::Exception& problem) {
    // The plain error is how SQLite says that it does not know the file's format.
    const bool unknown = (problem.getErrorCode() & 0xFF) == SQLITE_ERROR;
    return unknown || tells_damage(problem) ? Result<bool>(false)
                                            : failure(problem, connection_->path);
  }
}

Result<void> Database::checkpoint() {
  TRY_ASSIGN(Statement statement, prepare("PRAGMA wal_checkpoint(TRUNCATE)"));
  bool held_up = false;
  TRY(statement.each([&held_up](const Row& row) { held_up = row.integer(0) != 0; }));
  if (held_up) {
    return Error{ErrorKind::busy,
                 "another process is reading the database",
                 connection_->path,
                 "Try again when it has finished."};
  }
  return {};
}

// --- NoWaiting ---

NoWaiting::NoWaiting(Database& database) : database_(database) {
  const auto usual = database.integer("PRAGMA busy_timeout");
  usual_ms_ = usual ? usual->value_or(0) : 0;
  static_cast<void>(database.execute("PRAGMA busy_timeout = 0"));  // else it waits as before
}

NoWaiting::~NoWaiting() {
  static_cast<void>(database_.execute("PRAGMA busy_timeout = " + std::to_string(usual_ms_)));
}

// --- Transaction ---

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

// --- files ---

Result<std::string> set_aside(const std::string& path) {
  constexpr int kMost = 1000;
  for (int number = 1; number <= kMost; ++number) {
    std::string aside = path + ".set-aside-" + std::to_string(number);
    if (::access(aside.c_str(), F_OK) == 0) {
      continue;
    }
    if (::rename(path.c_str(), aside.c_str()) != 0) {
      return base::system_error("setting a damaged database aside", path, errno);
    }
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
      static_cast<void>(::rename((path + suffix).c_str(), (aside + suffix).c_str()));
    }
    return aside;
  }
  return Error{ErrorKind::io,
               "there are a thousand damaged databases set aside already",
               path,
               "Look at the *.set-aside-* files beside it and remove them."};
}

Result<void> remove_database(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    const std::string file = path + suffix;
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) {
      return base::system_error("removing a database", file, errno);
    }
  }
  return {};
}

}  // namespace daybook::store
