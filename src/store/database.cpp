// SPDX-License-Identifier: MIT
#include "daybook/store/database.hpp"

#include "store/connection.hpp"
#include "store/setup.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::store {
namespace {

constexpr mode_t kPrivate = 0600;

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

/// SQLite reads a database with a log only beside a file of shared memory, which it cannot make on
/// a disk that is mounted read-only. Without a log there is nothing to share there, and nobody who
/// writes.
bool is_at_rest(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0 || errno != EROFS) {
    return false;
  }
  struct stat log {};
  return ::stat((path + "-wal").c_str(), &log) != 0 || log.st_size == 0;
}

/// As SQLite takes it where it is asked to believe that nobody writes.
std::string at_rest(const std::string& path) {
  constexpr std::string_view kPlain = "/-_.~";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != std::string_view::npos) {
      uri.push_back(c);
    } else {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", byte);
      uri.append(code);
    }
  }
  return uri.append("?immutable=1");
}

}  // namespace

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
  const bool only_reads = options.access == Access::read_only;
  const bool rests = only_reads && is_at_rest(path);
  const int flags = (only_reads ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE) |
                    (rests ? SQLite::OPEN_URI : 0) | SQLite::OPEN_NOMUTEX;
  try {
    return Database(std::make_shared<Connection>(
        std::make_unique<SQLite::Database>(
            rests ? at_rest(path) : path, flags, options.busy_timeout_ms),
        path));
  } catch (const SQLite::Exception& problem) {
    return failure(problem, path);
  }
}

Result<void> Database::execute(const std::string& sql) {
  try {
    connection_->database->exec(sql);
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

std::int64_t Database::last_insert_id() const {
  return connection_->database->getLastInsertRowid();
}
std::int64_t Database::changes() const { return connection_->database->getChanges(); }
const std::string& Database::path() const { return connection_->path; }
void* Database::native_handle() const { return connection_->database->getHandle(); }

Result<void> Database::load_extension(const std::string& path, const std::string& entry_point) {
  sqlite3* const handle = connection_->database->getHandle();
  // For C alone: no SQL text, of whomever, can load one.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  char* words = nullptr;
  const int outcome = sqlite3_load_extension(handle, path.c_str(), entry_point.c_str(), &words);
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
      connection_->database->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return outcome == SQLITE_OK && moved == 0;
}

void Database::hold_open() {
  sqlite3* const handle = connection_->database->getHandle();
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
  return sqlite3_db_readonly(connection_->database->getHandle(), "main") == 1;
}

Result<bool> Database::is_sound() {
  try {
    SQLite::Statement check(*connection_->database, "PRAGMA quick_check(1)");
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

}  // namespace daybook::store
