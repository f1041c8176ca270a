// SPDX-License-Identifier: MIT
//
// What index.db knows of the full text: which months are behind the rows, what their files looked
// like when they were last written, and what is to be found in each. Writes are the pipeline lock's
// holder's. Both classes borrow the database for their lifetime; one thread each.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daybook::index {

/// A month whose full text is behind.
struct MarkedMonth {
  std::int64_t month = 0;
  std::int64_t marks = 0;  ///< how often it was marked since it was last up to date
};

class TextMonths {
 public:
  explicit TextMonths(store::Database& database) : database_(database) {}

  /// Newest first.
  Result<std::vector<MarkedMonth>> marked();
  Result<void> mark(std::int64_t month);
  /// One that was marked again meanwhile stays.
  Result<void> unmark(const MarkedMonth& done);

  /// What month_file_marks() says of each month that had files when it was last written.
  Result<std::map<std::int64_t, std::int64_t>> file_marks();
  /// Nothing: the month has no files.
  Result<void> put_file_mark(std::int64_t month, std::optional<std::int64_t> mark);

 private:
  store::Database& database_;
};

/// What is needed to read a document again, and to see that it is still the same.
struct DocumentPlace {
  std::string folder;
  std::string name;
  std::string sentence;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
};

class TextDocuments {
 public:
  static Result<TextDocuments> make(store::Database& database);

  /// What is to be found in a month.
  Result<std::vector<TextDocument>> of_month(std::int64_t month);
  /// Empty when the file has no row any more.
  Result<DocumentPlace> place_of(std::int64_t file);

 private:
  TextDocuments(store::Statement select_month, store::Statement select_place)
      : select_month_(std::move(select_month)), select_place_(std::move(select_place)) {}

  store::Statement select_month_;
  store::Statement select_place_;
};

}  // namespace daybook::index
