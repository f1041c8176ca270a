// SPDX-License-Identifier: MIT
//
// <state>/index.db as a file: opened for reading, opened for change, or built anew beside the old
// one and put in its place. Whatever cannot be used (another schema, another program's, damaged) is
// told apart, so that the caller can say so and build. Only the holder of the pipeline lock opens
// for change or builds. A build that is cut off leaves the old index, or none: never half of one.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::index {

inline constexpr const char* kIndexFile = "index.db";

/// What the index says of itself.
struct IndexMeta {
  std::string index_id;          ///< random; the full text belongs to the index of this id
  std::uint64_t secret = 0;      ///< of the fingerprints
  std::uint64_t generation = 0;  ///< grows with every change
  std::int64_t swept_at_ms = 0;  ///< when the vault was last compared with it
};

enum class Usability : std::uint8_t {
  usable,
  missing,
  other_schema,  ///< another version of Daybook wrote it
  damaged,       ///< not a database, or one of another program
};

struct OpenedIndex {
  Usability usability = Usability::missing;
  std::optional<store::Database> database;  ///< when usable
  IndexMeta meta;
};

/// Fails only when the system does (busy, no permission).
Result<OpenedIndex> open_index(const std::string& path, store::Access access);

/// What it says of itself now, on a connection that has been open for a while.
Result<IndexMeta> read_meta(store::Database& database);

/// A new, empty index under another name, made for speed and not for safety until install().
class IndexBuild {
 public:
  static Result<IndexBuild> begin(const std::string& path,
                                  std::uint64_t secret,
                                  std::uint64_t first_generation);
  IndexBuild(IndexBuild&& other) noexcept;
  IndexBuild& operator=(IndexBuild&&) = delete;
  /// Removes what was not installed.
  ~IndexBuild();

  store::Database& database() { return *database_; }
  const IndexMeta& meta() const { return meta_; }

  /// After the last row: the indexes, and all of it on the disk. Nobody sees it yet.
  Result<void> complete();
  /// Puts what is complete in the place of the old one.
  Result<void> install();

 private:
  IndexBuild() = default;
  std::string path_;  // empty: there is nothing to remove
  std::optional<store::Database> database_;
  IndexMeta meta_;
};

/// Neither copied nor kept in the cache: the fingerprints of 300,000 files have six megabytes.
Result<void> visit_large_meta(store::Database& database,
                              const std::string& key,
                              const std::function<void(std::string_view)>& visit);
Result<void> put_large_meta(store::Database& database,
                            const std::string& key,
                            std::string_view bytes);
Result<void> put_meta(store::Database& database, const std::string& key, const std::string& value);
Result<void> put_meta(store::Database& database, const std::string& key, std::int64_t value);
Result<std::optional<std::string>> meta_text(store::Database& database, const std::string& key);

}  // namespace daybook::index
