// SPDX-License-Identifier: MIT
//
// Fingerprints of the few files that changed since all of them were written as one blob: to write
// that again for each changed file would cost as much as the vault is large. A whole pass takes
// them into the blob. Used by the holder of the pipeline lock, inside its transaction.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/store/database.hpp"

#include <vector>

namespace daybook::service {

/// So many are worth a new blob.
inline constexpr std::size_t kManyNewerFingerprints = 4096;

Result<std::vector<scan::Fingerprint>> read_newer_fingerprints(store::Database& database);
/// file 0: gone.
Result<void> put_newer_fingerprints(store::Database& database,
                                    const std::vector<scan::Fingerprint>& fingerprints);
Result<void> forget_newer_fingerprints(store::Database& database);

}  // namespace daybook::service
