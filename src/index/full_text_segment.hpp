// SPDX-License-Identifier: MIT
//
// Postings -> FTS5's own tables, without FTS5: the leaves of its segments are written in its
// format, number 4, which every SQLite since 3.9 reads. Only for a new file, and only when this
// SQLite writes that format too; a test holds the result against FTS5's own, place by place. One
// thread; borrows the database. After a failure the file is to be thrown away.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"
#include "index/full_text_postings.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

/// Writes one segment, word by word in their order.
class SegmentWriter {
 public:
  static Result<SegmentWriter> make(store::Database& database, std::int64_t segment);

  Result<void> add(std::string_view word, std::string_view doclist);
  /// Returns the number of leaves.
  Result<std::int64_t> finish();

 private:
  SegmentWriter(store::Statement put_leaf, store::Statement put_term, std::int64_t segment);
  Result<void> begin_word(std::string_view key);
  Result<void> add_places(std::string_view places);
  Result<void> flush_leaf();
  Result<void> flush_term();
  std::size_t used() const { return leaf_.size() + term_places_.size(); }

  store::Statement put_leaf_;
  store::Statement put_term_;
  std::int64_t segment_;
  std::int64_t leaf_number_ = 1;
  std::string leaf_;
  std::string term_places_;  // where the terms of this leaf begin, as differences
  std::size_t last_term_place_ = 0;
  std::string last_key_;
  bool has_term_ = false;  // this leaf
  bool has_row_ = false;
  std::string separator_;  // the least key of the leaf that the next entry of the b-tree is for
  std::int64_t separated_leaf_ = 1;
};

/// A table's whole content, row by row in the order of growing ids.
class SegmentBuild {
 public:
  /// Nothing when this SQLite's FTS5 has another format. The table, named `words`, must be empty,
  /// and must not be touched through this connection afterwards.
  static Result<std::optional<SegmentBuild>> make(store::Database& database);

  Result<void> add_row(std::int64_t id, std::string_view first, std::string_view second);
  Result<void> finish();

 private:
  SegmentBuild(store::Database& database, Postings postings);
  Result<void> flush();
  std::string structure() const;

  store::Database* database_;
  Postings postings_;
  std::vector<std::int64_t> leaves_;  // of each segment
};

}  // namespace daybook::index
