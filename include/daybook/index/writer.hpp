// SPDX-License-Identifier: MIT
//
// Facts -> rows. The one writer of index.db, used by the holder of the pipeline lock inside one
// transaction a batch: whoever reads beside it sees all of a batch or nothing. One thread. After a
// failure the caller drops the transaction and the index is as it was.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::index {

class Writer {
 public:
  /// Borrows the database for its lifetime.
  static Result<Writer> make(store::Database& database);
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// Writes a file's row, links and findings in the place of what was known of it; returns its id.
  Result<std::int64_t> put_file(const FileFacts& facts);
  Result<void> erase_file(std::int64_t id);
  /// Only the findings; the row stays as it is (a file that cannot be read now).
  Result<void> put_diagnostics(std::int64_t file,
                               std::string_view agent_id,
                               std::span<const lineage::Diagnostic> diagnostics);

  /// Findings that belong to no listed file, in place of all former ones.
  Result<void> put_other_diagnostics(
      std::span<const std::pair<std::string, lineage::Diagnostic>> diagnostics);

  /// Works out the row of a session from its files' rows.
  Result<void> renew_session(lineage::SessionToken token);
  /// When all its files are known without asking.
  Result<void> put_session(const SessionRow& row);

  Result<void> put_tombstones(std::span<const lineage::Tombstone> tombstones);

  /// A month_of() captured_at whose full text is behind.
  Result<void> mark_month(std::int64_t month);

  /// The number under which a text that repeats is kept.
  Result<std::int64_t> word(std::string_view text);

 private:
  struct Statements;
  explicit Writer(std::unique_ptr<Statements> statements);
  Result<void> erase_links(std::int64_t file);
  Result<void> put_links(std::int64_t file,
                         std::string_view path,
                         const std::vector<LinkRow>& links);
  Result<void> put_run(std::int64_t file, const FileRow& row);
  Result<void> put_learning(std::int64_t file, const lineage::Learning& learning);
  Result<std::optional<std::int64_t>> word_or_null(std::string_view text);
  Result<void> add_diagnostics(std::int64_t file,
                               std::string_view agent_id,
                               std::span<const lineage::Diagnostic> diagnostics);

  std::unique_ptr<Statements> statements_;
};

/// Texts that repeat are kept once, and longer than the rows that said them: after a removal they
/// have to go, too.
Result<void> drop_unused_words(store::Database& database);

}  // namespace daybook::index
