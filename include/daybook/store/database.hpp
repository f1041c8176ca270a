// SPDX-License-Identifier: MIT
//
// The one door to SQLite: a connection, with Results in place of exceptions. index and state keep
// their tables behind it. Files are made with mode 0600 whatever the umask, and never through a
// symbolic link; their -wal, -shm and -journal take the same mode. One thread uses a Database and
// its statements at a time; several processes may have the same file open. After a failure the
// connection stays usable.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/statement.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace daybook::store {

/// An open file; it closes with the last of the database and its statements.
struct Connection;

enum class Access : std::uint8_t {
  create,      ///< read and write, made if need be
  read_write,  ///< must be there
  read_only,
};

struct OpenOptions {
  Access access = Access::create;
  int busy_timeout_ms = 5000;
};

class Database {
 public:
  /// not_found when it must be there and is not; otherwise io, with what SQLite said.
  static Result<Database> open(const std::string& path, const OpenOptions& options = {});

  /// Another handle of the same connection, which closes with the last of them.
  Database share() const { return Database(connection_); }

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// One or several statements without arguments.
  Result<void> execute(const std::string& sql);
  Result<Statement> prepare(const std::string& sql);

  /// The only column of the only row of a query without arguments.
  Result<std::optional<std::int64_t>> integer(const std::string& sql);
  Result<std::optional<std::string>> text(const std::string& sql);

  std::int64_t last_insert_id() const;
  std::int64_t changes() const;
  const std::string& path() const;
  /// Gives this connection the functions of a library at this path, which runs with all that this
  /// process may do. Loading is off before and after. `entry_point`: what of it to call.
  Result<void> load_extension(const std::string& path, const std::string& entry_point);
  /// SQLite's own connection, for the other files of this stage.
  void* native_handle() const;

  /// Whether its path still names the file that it has open, and not another one or none.
  bool is_current() const;
  /// For a connection that is held open for long. The -wal is written back when told, and only a
  /// large one in the middle of a commit; and it stays when this connection is the last to close:
  /// SQLite deletes it by name, and by then that may be the name of another file's.
  void hold_open();
  /// As much of the -wal as nobody reads any more goes into the file, unless it is small. Of a
  /// connection that is held open.
  Result<void> write_log_back();

  /// Whether nothing can be written, once something was read: asked for, or by the file's mode, or
  /// because its header says that only a newer SQLite may.
  bool is_read_only() const;
  /// Whether SQLite finds the file whole: its header, and a quick check of all pages. An error
  /// when it could not be asked (busy, a disk that fails): that says nothing about the file.
  Result<bool> is_sound();
  /// Brings everything from the -wal into the file and empties it; busy beside an open reader.
  Result<void> checkpoint();

 private:
  explicit Database(std::shared_ptr<Connection> connection);
  std::shared_ptr<Connection> connection_;
};

/// Moves a database that cannot be used out of the way, its -wal and -shm with it, and returns the
/// new name: `<name>.set-aside-<n>` beside it.
Result<std::string> set_aside(const std::string& path);

/// Removes a database and its -wal, -shm and -journal; it is no error if they are not there.
Result<void> remove_database(const std::string& path);

}  // namespace daybook::store
