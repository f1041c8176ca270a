// SPDX-License-Identifier: MIT
//
// Documents and their text -> rows of one month's file, inside the caller's transaction. A new file
// is made for speed and not for safety: it has another name until it is whole. One thread; borrows
// the database. After a failure the transaction, or the new file, is to be thrown away.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/store/database.hpp"
#include "index/full_text_file.hpp"
#include "index/full_text_segment.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::index {

/// What the file keeps of a content's hash; so much tells contents apart.
using ContentMark = std::array<std::uint8_t, 16>;
ContentMark mark_of(const TextDocument& document);

/// A document that the file holds.
struct StoredDocument {
  std::int64_t id = 0;
  TextDocument document;  ///< without its hash
  ContentMark mark{};
  std::int64_t bytes = 0;
};

Result<std::vector<StoredDocument>> stored_documents(store::Database& database);

/// Opens a file that is to be changed in place.
Result<store::Database> open_month_for_change(const std::string& path);
/// Makes a new one under a temporary name.
Result<store::Database> create_month(const std::string& path, const std::string& index_id);

class MonthWriter {
 public:
  /// For a file that has been made just now.
  static Result<MonthWriter> for_new(store::Database& database);
  static Result<MonthWriter> for_change(store::Database& database, const MonthMeta& meta);

  Result<void> add(const TextDocument& document, TextContent content);
  Result<void> retire(const StoredDocument& stored);
  /// Other facts about a text that is the same.
  Result<void> restate(std::int64_t id, const TextDocument& document);
  /// Writes what the file says of itself; the caller commits.
  Result<void> finish();

 private:
  struct Statements {
    store::Statement put_words;
    store::Statement put_document;
    store::Statement drop_document;
    store::Statement restate_document;
  };
  MonthWriter(store::Database& database, const MonthMeta& meta, Statements statements);
  Result<void> put_words(std::int64_t id, const TextContent& content);

  store::Database* database_;
  MonthMeta meta_;
  Statements statements_;
  std::optional<SegmentBuild> build_;  // in place of FTS5's own, of a new file
};

}  // namespace daybook::index
