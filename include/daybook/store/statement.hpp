// SPDX-License-Identifier: MIT
//
// A prepared statement: arguments in, rows out, with Results in place of exceptions. Made by a
// Database, whose thread is its own, too, and whose file stays open as long as it lives. After a
// failure it can be run again.
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

}  // namespace daybook::store
