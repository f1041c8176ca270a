// SPDX-License-Identifier: MIT
//
// Vault and index -> what a pass would find by stat. Nothing is read but names and stats, nothing
// is written and no lock is taken. One thread, which surveys with several.
#include "daybook/base/clock.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/service/pipeline.hpp"
#include "service/known_vault.hpp"
#include "service/unit_worker.hpp"

#include <utility>

namespace daybook::service {

Result<PassReport> Pipeline::preview(const PassRequest& request) {
  const base::Stopwatch stopwatch;
  auto known = KnownVault::open(folder_.file(index::kIndexFile), store::Access::read_only);
  if (!known && known.error().kind != ErrorKind::damaged) {
    return std::move(known).error();
  }
  KnownVault before = known ? std::move(known).value() : KnownVault{};
  auto root = disk_.open_root(folder_.workspace());
  if (!root) {
    return cannot_list(std::move(root).error(), folder_.workspace(), before);
  }
  auto listing = scan::VaultListing::list(**root, before.fingerprints.size());
  if (!listing) {
    return cannot_list(std::move(listing).error(), folder_.workspace(), before);
  }
  TRY_ASSIGN(const scan::Survey survey,
             scan::survey(disk_,
                          folder_.workspace(),
                          *listing,
                          before.meta.secret,
                          base::SystemClock().now_ms() * 1'000'000,
                          thread_count(request.threads, listing->unit_starts().size())));
  const scan::Differences differences = scan::differences(survey, before.fingerprints);
  PassReport report;
  report.scanned = listing->entries().size();
  report.added = differences.added.size();
  report.changed = request.extent == Extent::everything ? report.scanned - report.added
                                                        : differences.changed.size();
  report.removed = differences.gone.size();
  report.generation = before.meta.generation;
  report.seconds = stopwatch.seconds();
  return report;
}

Result<PassReport> preview_unindexed(base::Disk& disk, const std::string& workspace) {
  const base::Stopwatch stopwatch;
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  TRY_ASSIGN(const auto listing, scan::VaultListing::list(*root));
  PassReport report;
  report.scanned = report.added = listing.entries().size();
  report.seconds = stopwatch.seconds();
  return report;
}

}  // namespace daybook::service
