// SPDX-License-Identifier: MIT
//
// One month's file of full text: its name and its tables.
// Beside FTS5's table `words` there is `document`, which every query joins: FTS5 cannot take out a
// text that is gone, so a document is retired by deleting its row there. Names and pure functions
// but for folder and tables. Failure leaves nothing behind.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

/// A file of another version is built anew.
inline constexpr std::int64_t kTextVersion = 1;

/// `YYYY-MM.N.db`. A name is never used for two files.
struct MonthName {
  std::int64_t month = 0;
  std::int64_t generation = 0;

  std::string file_name() const;
  std::string path_in(const std::string& folder) const;
};

/// A file in the folder of full text: a month's file, or a journal or temporary beside it.
struct TextFolderEntry {
  MonthName name;
  std::string file;  ///< its name
  bool is_month = false;
};

/// Files with other names are none of ours and left alone. No folder: no entries.
Result<std::vector<TextFolderEntry>> list_text_folder(const std::string& folder);

/// Removes the month's files but the one of this generation, journals and temporaries included.
Result<void> remove_month_files(const std::string& folder,
                                std::int64_t month,
                                std::optional<std::int64_t> but);

/// Makes the file durable under its final name.
Result<void> install_month_file(const std::string& temporary, const std::string& path);

/// What a month's file says of itself.
struct MonthMeta {
  std::int64_t highest = 0;     ///< the last row id given; retired ones are not given again
  std::int64_t documents = 0;   ///< not retired
  std::int64_t bytes = 0;       ///< of their bodies
  lineage::Timestamp earliest;  ///< of their times
  lineage::Timestamp latest;
};

/// Nothing when the file belongs to another index or version; `damaged` when it cannot be read.
Result<std::optional<MonthMeta>> read_month_meta(store::Database& database,
                                                 const std::string& index_id);

/// Whether the tables are those that were made. SQLite would not mind a bit that turns in what they
/// are called or hold, and find nothing, or something else, or fail.
Result<bool> has_own_tables(store::Database& database);

/// Makes the tables; `body` is the first column, since FTS5 spends two bytes more on each posting
/// of another one.
Result<void> make_month_tables(store::Database& database, const std::string& index_id);

/// The times are taken from the documents.
Result<void> put_month_meta(store::Database& database, const MonthMeta& meta);

}  // namespace daybook::index
