// SPDX-License-Identifier: MIT
//
// Fingerprints of the few files that changed since all of them were written as one blob: to write
// that again for each changed file would cost as much as the vault is large. A whole pass takes
// them into the blob. Used by the holder of the pipeline lock, inside its transaction.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace daybook::index {

/// A scan::Fingerprint, of which the index knows no more than that it is three numbers.
struct NewerFingerprint {
  std::uint64_t path = 0;
  std::uint64_t stat = 0;
  std::uint32_t file = 0;  ///< 0: gone
};

Result<std::vector<NewerFingerprint>> newer_fingerprints(store::Database& database);
Result<void> put_newer_fingerprints(store::Database& database,
                                    std::span<const NewerFingerprint> fingerprints);
Result<void> forget_newer_fingerprints(store::Database& database);

}  // namespace daybook::index
