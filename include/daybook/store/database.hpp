// SPDX-License-Identifier: MIT
//
// The one door to SQLite: a connection, prepared statements, a transaction, with Results in place
// of exceptions. index and state keep their tables behind it. Files are made with mode 0600
// whatever the umask, and never through a symbolic link; their -wal, -shm and -journal take the
// same mode. One thread uses a Database and its statements at a time; several processes may have
// the same file open. After a failure the connection stays usable; an open Transaction rolls back.
#pragma once

#include "daybook/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace daybook::store {

/// An open file; it closes with the last of the database and its statements.
struct Connection;

/// Bytes, as against text.
struct Blob {
  std::string_view bytes;
};

/// Text for a function of SQLite that wants its end marked: it must be without a NUL byte, and is
/// then not copied.
struct Borrowed {
  const std::string& text;
};

template <std::size_t Size>
Blob as_blob(const std::array<std::uint8_t, Size>& bytes) {
  return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

/// The row at hand; views live until the visit ends.
class Row {
 public:
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::string_view blob(int column) const { return text(column); }
  bool is_null(int column) const;
  std::optional<std::int64_t> optional_integer(int column) const;

 private:
  friend class Statement;
  explicit Row(void* statement) : statement_(statement) {}
  void* statement_;
};

enum class Visit : std::uint8_t { next, stop };

class Statement {
 public:
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  /// Binds the arguments in order, runs to the end, ignores rows. Arguments: integers, double,
  /// text, Blob, std::optional of those, nullptr, a pointer to a text or to nothing. They are read
  /// during the call only.
  template <typename... Arguments>
  Result<void> run(const Arguments&... arguments) {
    bind_all(arguments...);
    return finish();
  }

  /// Calls `visit(const Row&)` for each row; it may return Visit::stop.
  template <typename Visitor, typename... Arguments>
  Result<void> each(Visitor&& visit, const Arguments&... arguments) {
    bind_all(arguments...);
    for (;;) {
      TRY_ASSIGN(const bool more, step());
      if (!more) {
        return {};
      }
      if constexpr (std::is_same_v<std::invoke_result_t<Visitor, const Row&>, Visit>) {
        if (visit(row()) == Visit::stop) {
          rewind();
          return {};
        }
      } else {
        visit(row());
      }
    }
  }

  /// The first column of the first row as an integer, if there is a row.
  template <typename... Arguments>
  Result<std::optional<std::int64_t>> integer(const Arguments&... arguments) {
    std::optional<std::int64_t> found;
    TRY(each(
        [&found](const Row& row) {
          found = row.optional_integer(0);
          return Visit::stop;
        },
        arguments...));
    return found;
  }

 private:
  friend class Database;
  struct Prepared;
  explicit Statement(std::unique_ptr<Prepared> prepared);

  template <typename... Arguments>
  void bind_all(const Arguments&... arguments) {
    rewind();
    int place = 0;
    (bind_any(++place, arguments), ...);
  }
  template <typename Argument>
  void bind_any(int place, const Argument& argument) {
    if constexpr (std::is_integral_v<Argument> || std::is_enum_v<Argument>) {
      bind(place, static_cast<std::int64_t>(argument));
    } else {
      bind(place, argument);
    }
  }
  template <typename Value>
  void bind(int place, const std::optional<Value>& value) {
    value ? bind_any(place, *value) : bind(place, nullptr);
  }
  void bind(int place, std::int64_t value);
  void bind(int place, double value);
  void bind(int place, std::string_view text);
  void bind(int place, const std::string& text);
  void bind(int place, const std::string* text) {
    text != nullptr ? bind(place, *text) : bind(place, nullptr);
  }
  void bind(int place, const char* text) { bind(place, std::string_view(text)); }
  void bind(int place, Blob blob);
  void bind(int place, Borrowed text);
  void bind(int place, std::nullptr_t);

  Result<bool> step();
  Result<void> finish();
  void rewind();
  Row row() const;

  std::unique_ptr<Prepared> prepared_;
};

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

/// Moves a database that cannot be used out of the way, its -wal and -shm with it, and returns the
/// new name: `<name>.set-aside-<n>` beside it.
Result<std::string> set_aside(const std::string& path);

/// Removes a database and its -wal, -shm and -journal; it is no error if they are not there.
Result<void> remove_database(const std::string& path);

}  // namespace daybook::store
