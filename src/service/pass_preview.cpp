// SPDX-License-Identifier: MIT
#include "service/pass_preview.hpp"

#include "daybook/base/clock.hpp"
#include "service/known_vault.hpp"
#include "service/unit_worker.hpp"

#include <utility>

namespace daybook::service {

Result<PassPreview> preview_pass(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 unsigned threads) {
  auto known = KnownVault::open(folder.file(index::kIndexFile), store::Access::read_only);
  if (!known && known.error().kind != ErrorKind::damaged) {
    return std::move(known).error();
  }
  KnownVault before = known ? std::move(known).value() : KnownVault{};
  auto root = disk.open_root(folder.workspace());
  if (!root) {
    return cannot_list(std::move(root).error(), folder.workspace(), before);
  }
  auto listing = scan::VaultListing::list(**root, before.fingerprints.size());
  if (!listing) {
    return cannot_list(std::move(listing).error(), folder.workspace(), before);
  }
  TRY_ASSIGN(const scan::Survey survey,
             scan::survey(disk,
                          folder.workspace(),
                          *listing,
                          before.meta.secret,
                          base::SystemClock().now_ms() * 1'000'000,
                          thread_count(threads, listing->unit_starts().size())));
  PassPreview preview;
  preview.scanned = listing->entries().size();
  preview.differences = scan::differences(survey, before.fingerprints);
  preview.meta = std::move(before.meta);
  return preview;
}

}  // namespace daybook::service
