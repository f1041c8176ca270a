// SPDX-License-Identifier: MIT
//
// A failed operation is a Result<T> that holds an Error; a bad note is a lineage::Diagnostic; a
// broken invariant aborts. An Error says what was attempted, on which path, why it failed and what
// to do next; callers on the way up add one clause each with `in_context`, and the edge (cli) shows
// it once. Values, no threads, no I/O.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace daybook::base {

/// The kinds that somebody handles in code; each maps to one exit code at the edge.
enum class ErrorKind {
  usage,           ///< wrong arguments or configuration (exit 2)
  busy,            ///< another process holds what is needed (exit 3)
  no_workspace,    ///< no workspace where one was expected (exit 4)
  io,              ///< the system refused (exit 5)
  not_found,       ///< the named file or folder is not there
  not_permitted,   ///< there, but not for us
  not_regular,     ///< there, but a link, pipe, socket or device
  already_exists,  ///< an exclusive creation met something
  damaged,         ///< a file of our own cannot be understood
};

struct Error {
  ErrorKind kind = ErrorKind::io;
  std::string message;  ///< what was attempted and why it failed, one sentence without a full stop
  std::string path;     ///< the path it concerns, empty if none
  std::string hint;     ///< what to do next, empty if nothing helps

  /// All of it in one sentence or two, for a notice that stands beside an answer.
  std::string in_words() const {
    std::string words = message;
    if (!path.empty()) {
      words.append(" (").append(path).append(")");
    }
    return hint.empty() ? words : words.append(". ").append(hint);
  }

  /// "reading the listing: <message>": one clause a level, outermost first.
  Error in_context(std::string_view clause) && {
    message.insert(0, std::string(clause) + ": ");
    return std::move(*this);
  }
};

/// An Error made from errno: the right kind and the system's own words.
Error system_error(std::string_view attempted, std::string_view path, int error_number);

template <typename T>
class [[nodiscard]] Result {
 public:
  using Value = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return *checked(); }
  const T& value() const& { return *const_cast<Result*>(this)->checked(); }
  T&& value() && { return std::move(*checked()); }
  T* operator->() { return checked(); }
  const T* operator->() const { return const_cast<Result*>(this)->checked(); }
  T& operator*() & { return *checked(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*checked()); }

  Error& error() & { return *failed(); }
  const Error& error() const& { return *const_cast<Result*>(this)->failed(); }
  Error&& error() && { return std::move(*failed()); }

  Result in_context(std::string_view clause) && {
    if (ok()) {
      return std::move(*this);
    }
    return std::move(*failed()).in_context(clause);
  }

 private:
  T* checked() {
    T* value = std::get_if<0>(&state_);
    if (value == nullptr) {
      std::abort();  // Asking a failed Result for its value is a bug, not an error to report.
    }
    return value;
  }
  Error* failed() {
    Error* error = std::get_if<1>(&state_);
    if (error == nullptr) {
      std::abort();
    }
    return error;
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  Error& error() & { return *failed(); }
  const Error& error() const& { return *const_cast<Result*>(this)->failed(); }
  Error&& error() && { return std::move(*failed()); }

  Result in_context(std::string_view clause) && {
    if (ok()) {
      return {};
    }
    return std::move(*failed()).in_context(clause);
  }

 private:
  Error* failed() {
    if (!error_.has_value()) {
      std::abort();
    }
    return &*error_;
  }

  std::optional<Error> error_;
};

}  // namespace daybook::base

namespace daybook {
using base::Error;
using base::ErrorKind;
using base::Result;
}  // namespace daybook

#define DAYBOOK_CONCAT_INNER(a, b) a##b
#define DAYBOOK_CONCAT(a, b) DAYBOOK_CONCAT_INNER(a, b)

/// Runs an operation for its effect and hands its error to the caller.
#define TRY(expression)                                        \
  do {                                                         \
    if (auto daybook_result = (expression); !daybook_result) { \
      return std::move(daybook_result).error();                \
    }                                                          \
  } while (false)

/// `TRY_ASSIGN(auto text, read(path));` binds the value or hands the error to the caller.
#define TRY_ASSIGN(declaration, expression) \
  TRY_ASSIGN_INNER(DAYBOOK_CONCAT(daybook_result_, __LINE__), declaration, expression)
#define TRY_ASSIGN_INNER(result, declaration, expression) \
  auto result = (expression);                             \
  if (!result) {                                          \
    return std::move(result).error();                     \
  }                                                       \
  declaration = std::move(result).value()
