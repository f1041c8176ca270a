// SPDX-License-Identifier: MIT
#include "daybook/index/newer_fingerprints.hpp"

namespace daybook::index {

Result<std::vector<NewerFingerprint>> newer_fingerprints(store::Database& database) {
  std::vector<NewerFingerprint> newer;
  TRY_ASSIGN(auto select, database.prepare("SELECT path, stat, file FROM newer_fingerprint"));
  TRY(select.each([&newer](const store::Row& row) {
    newer.push_back({static_cast<std::uint64_t>(row.integer(0)),
                     static_cast<std::uint64_t>(row.integer(1)),
                     static_cast<std::uint32_t>(row.integer(2))});
  }));
  return newer;
}

Result<void> put_newer_fingerprints(store::Database& database,
                                    std::span<const NewerFingerprint> fingerprints) {
  TRY_ASSIGN(auto put,
             database.prepare("INSERT OR REPLACE INTO newer_fingerprint(path, stat, file)"
                              " VALUES(?, ?, ?)"));
  for (const NewerFingerprint& fingerprint : fingerprints) {
    TRY(put.run(static_cast<std::int64_t>(fingerprint.path),
                static_cast<std::int64_t>(fingerprint.stat),
                static_cast<std::int64_t>(fingerprint.file)));
  }
  return {};
}

Result<void> forget_newer_fingerprints(store::Database& database) {
  return database.execute("DELETE FROM newer_fingerprint");
}

}  // namespace daybook::index
