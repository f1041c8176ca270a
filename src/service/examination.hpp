// SPDX-License-Identifier: MIT
//
// Units of a listing -> examined notes: several threads read and parse, and the calling thread
// takes the outcomes one unit after the other, so that one writer writes. The queue between is
// bounded: a slow writer slows the readers and memory stays flat.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/service/work_progress.hpp"
#include "service/file_facts.hpp"
#include "service/unit_worker.hpp"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace daybook::service {

using UnitRange = std::pair<scan::VaultListing::Index, scan::VaultListing::Index>;

/// Takes the files of one unit; what it leaves of them is dropped.
using UnitConsumer = std::function<Result<void>(std::span<ExaminedFile>)>;

/// Ends early, without error, when the work is cancelled; with the consumer's error if it fails.
Result<void> examine_units(const scan::VaultListing& listing,
                           std::span<const UnitRange> units,
                           std::vector<std::unique_ptr<UnitWorker>>& workers,
                           WorkProgress& progress,
                           const UnitConsumer& consume);

}  // namespace daybook::service
