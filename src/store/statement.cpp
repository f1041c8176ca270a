// SPDX-License-Identifier: MIT
#include "store/connection.hpp"

#include <sqlite3.h>

#include <string_view>
#include <utility>

namespace daybook::store {
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

void Statement::Prepared::note_bound(int outcome) {
  if (outcome != SQLITE_OK && !bind_error) {
    bind_error = connection->failure_of(outcome);
  }
}

void Statement::Prepared::reset() {
  if (begun) {
    sqlite3_reset(statement.get());
    begun = false;
  }
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

}  // namespace daybook::store
