// SPDX-License-Identifier: MIT
//
// What was published when, and who else replaced it: rows of state.db. A publication is announced
// before its file gets the name and completed afterwards, so that our own file is known as ours
// even after a crash between the two. A projection that others replace twice within ten minutes is
// contested, and stays so until somebody decides. Belongs to the StateDb's thread; a failed call
// changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::state {

struct PublicationRecord {
  std::string projection;  ///< workspace-relative path
  std::int64_t generation = 0;
  std::int64_t fence = 0;
  base::Digest sha256{};
  std::int64_t bytes = 0;
  lineage::Timestamp published_at;
  bool operator==(const PublicationRecord&) const = default;
};

enum class Contest : std::uint8_t { none, contested };

class Publications {
 public:
  explicit Publications(store::Database& database) : database_(database) {}

  /// The number by which to complete or withdraw it.
  Result<std::int64_t> announce(const PublicationRecord& record);
  Result<void> complete(std::int64_t announced, lineage::Timestamp published_at);
  Result<void> withdraw(std::int64_t announced);

  /// 0 when there was none; these survive the pruning of the log.
  Result<std::int64_t> highest_generation();
  Result<std::int64_t> highest_fence();
  /// The last completed one: of a projection, of all together, of each.
  Result<std::optional<PublicationRecord>> last(const std::string& projection);
  Result<std::optional<PublicationRecord>> last();
  Result<std::vector<PublicationRecord>> last_of_each();
  /// Whether we published, or were about to publish, these bytes there.
  Result<bool> is_ours(const std::string& projection, const base::Digest& sha256);

  /// The number of the last completed one, to be asked for before looking at the file.
  Result<std::optional<std::int64_t>> last_number(const std::string& projection);
  /// Others have replaced that publication. One can be replaced only once, so telling it again
  /// counts nothing.
  Result<Contest> note_replaced(const std::string& projection,
                                std::int64_t number,
                                lineage::Timestamp now);
  Result<Contest> contest(const std::string& projection);
  Result<std::vector<std::string>> contested();
  /// A person has decided that Daybook publishes there again.
  Result<void> clear_contest(const std::string& projection);
  /// A person has decided that the clock is right: later times in the log become `now`.
  Result<void> accept_clock(lineage::Timestamp now);

 private:
  store::Database& database_;
};

}  // namespace daybook::state
