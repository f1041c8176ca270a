// SPDX-License-Identifier: MIT
//
// Documents of one month -> that month's file of full text, `<folder>/YYYY-MM.N.db`. FTS5 cannot
// forget a text that it does not see again, so there is one small file a month: what is retired is
// hidden at once, and truly gone when the month is built anew beside the old file, which is then
// unlinked. N grows with every such building: a name never means two files, so that whoever still
// reads the old one, and a journal that a crash left beside it, are harmless. Distinct months may
// be worked on by distinct threads, one month by one thread of one process (the holder of the
// pipeline lock); readers may read meanwhile. Failure or a crash leaves the month as it was.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daybook::index {

/// Of the state folder: where the months are.
inline constexpr const char* kTextFolder = "text";

/// As much of a body is searchable.
inline constexpr std::size_t kTextLimit = std::size_t{16} << 20U;

/// What is to be searchable, in the numbers of index.db.
struct TextDocument {
  std::int64_t file = 0;
  base::Digest source_sha256{};  ///< of the content that the index speaks of
  std::int64_t agent = 0;
  std::int64_t project = 0;
  lineage::Kind kind = lineage::Kind::summary;
  lineage::Timestamp time;  ///< membership; need not lie in the month
};

struct TextContent {
  std::string sentence;
  std::string body;  ///< what is beyond kTextLimit is ignored
};

/// Reads a document's text. Nothing: the file has changed meanwhile or is gone; it is left out.
using TextSource = std::function<Result<std::optional<TextContent>>(const TextDocument&)>;

enum class MonthWork : std::uint8_t {
  update,   ///< the least that is needed
  verify,   ///< the same, after a look at every page of the file
  rebuild,  ///< anew whatever there is, so that no byte of a retired text stays
};

struct MonthRequest {
  std::string folder;      ///< `<state>/text`; made if need be
  std::int64_t month = 0;  ///< year * 12 + month - 1
  std::string index_id;    ///< of the index.db whose numbers these are
  MonthWork work = MonthWork::update;
};

struct MonthOutcome {
  enum class Deed : std::uint8_t {
    nothing,
    updated,
    rebuilt,
    removed,    ///< nothing is wanted of this month: there is no file any more
    cancelled,  ///< the month is as it was
  };
  Deed deed = Deed::nothing;
  std::size_t added = 0;     ///< documents whose text was read
  std::size_t retired = 0;   ///< documents that are not found any more
  std::size_t left_out = 0;  ///< wanted, but the source had nothing
};

/// Makes the month hold exactly what is wanted: reads what is new or of other content, retires what
/// is not wanted any more. A file of another index or schema, or one that is damaged, is built
/// anew, and so is one of which more than a quarter is retired.
Result<MonthOutcome> bring_up_to_date(const MonthRequest& request,
                                      std::vector<TextDocument> wanted,
                                      const TextSource& source,
                                      const std::atomic<bool>& cancelled);

/// The months that have a file, or what a crash left of one; newest first. Those that are wanted no
/// more are brought up to date with nothing.
Result<std::vector<std::int64_t>> months_with_text(const std::string& folder);

/// For each month that has files, or for that one: their names, sizes, times and inodes in one
/// number. If it differs from what it was after the last change, somebody else has touched them.
Result<std::map<std::int64_t, std::int64_t>> month_file_marks(
    const std::string& folder, std::optional<std::int64_t> month = {});

/// Removes whatever there is of the month, so that it is built anew.
Result<void> forget_month(const std::string& folder, std::int64_t month);

/// Whether bytes of another text than of what is wanted may be in the month's files: of documents
/// that are only hidden, or that nobody knows of.
Result<bool> may_hold_other_text(const MonthRequest& request,
                                 const std::vector<TextDocument>& wanted);

}  // namespace daybook::index
