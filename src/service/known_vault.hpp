// SPDX-License-Identifier: MIT
//
// What the index knows when a pass begins: its own words about itself, the fingerprints of all
// files, and single rows on demand. Empty when there is no index that can be used.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/store/database.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

/// So many fingerprints that were written one by one are worth a new blob of all of them.
inline constexpr std::size_t kManyNewerFingerprints = 4096;

struct KnownVault {
  index::Usability usability = index::Usability::missing;
  std::optional<store::Database> database;
  index::IndexMeta meta;
  scan::Fingerprints fingerprints;
  std::vector<std::string> tombstone_facts;  ///< sorted
  std::string names_digest;                  ///< empty: no link goes by name
  std::string state_id;                      ///< of the state.db that holds its seals
  std::string guard;                         ///< what notes of something learned were held against
  std::string unreadable;                    ///< what could not be read, a path a line

  std::size_t newer_fingerprints = 0;  ///< written one by one since all of them were

  bool usable() const { return database.has_value(); }
  bool could_not_read(const std::string& path) const;

  static Result<KnownVault> open(const std::string& path, store::Access access);
  /// All but the fingerprints: for when a few files are looked at, and the rest is not asked for.
  static Result<KnownVault> without_fingerprints(index::OpenedIndex index);
  /// The row of a file, 0 being none.
  Result<std::optional<index::FileRow>> row(std::int64_t id);
};

/// A vault that cannot be listed: nothing changes. Whoever was indexed before has not become empty.
Error cannot_list(Error error, const std::string& workspace, const KnownVault& known);

std::vector<std::string> split_lines(const std::string& text);
std::string join_lines(const std::vector<std::string>& lines);

}  // namespace daybook::service
