// SPDX-License-Identifier: MIT
#include "service/index_pass.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/base/log.hpp"
#include "service/pass_plan.hpp"
#include "service/row_update.hpp"
#include "service/seal_keeper.hpp"
#include "service/text_pass.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

/// The seals are safe before the rows that rely on them: else a file would be known to the index
/// and never sealed.
Result<void> update_index(const state::StateFolder& folder,
                          state::StateDb& state,
                          SealKeeper& seals,
                          PassPlan& plan,
                          const IndexPassRequest& request,
                          WorkProgress& progress,
                          IndexPassReport& report) {
  report.meta = plan.known.meta;
  store::Database& database = *plan.known.database;
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database));
  RowUpdate update(plan, state, seals, database, folder.file(kTextFolder));
  TRY(update.run(request.now, progress, report));
  if (progress.cancelled) {
    return {};
  }
  TRY(seals.flush());
  return transaction.commit();
}

Result<void> build_index(const state::StateFolder& folder,
                         state::StateDb& state,
                         SealKeeper& seals,
                         PassPlan& plan,
                         const IndexPassRequest& request,
                         WorkProgress& progress,
                         IndexPassReport& report) {
  TRY_ASSIGN(const std::int64_t published, state.publications().highest_generation());
  const auto generation =
      std::max(static_cast<std::uint64_t>(published), plan.known.meta.generation) + 1;
  TRY_ASSIGN(auto build,
             index::IndexBuild::begin(folder.file(index::kIndexFile), plan.secret, generation));
  report.meta = build.meta();
  report.rows_changed = true;
  {
    TRY_ASSIGN(auto transaction, store::Transaction::begin(build.database()));
    RowUpdate update(plan, state, seals, build.database(), folder.file(kTextFolder));
    TRY(update.run(request.now, progress, report));
    if (progress.cancelled) {
      return {};
    }
    TRY(transaction.commit());
  }
  TRY(seals.write_beside());
  TRY(build.complete());
  TRY(seals.flush());
  plan.known.database.reset();
  return build.install();
}

}  // namespace

Result<IndexPassReport> run_index_pass(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       state::StateDb& state,
                                       const IndexPassRequest& request,
                                       WorkProgress& progress) {
  const base::Stopwatch stopwatch;
  TRY_ASSIGN(SealKeeper seals, SealKeeper::make(state, request.now));
  TRY_ASSIGN(const auto plan,
             plan_pass(disk, folder, state, seals, {request.extent, request.threads}));
  IndexPassReport report;
  report.scanned = plan->listing->entries().size();
  report.erased = plan->removal_is_new;
  report.notices = plan->notices;
  if (plan->nothing_to_do()) {
    report.meta = plan->known.meta;
    report.meta.swept_at_ms = request.now.ms;
    TRY(index::put_meta(*plan->known.database, "swept_at_ms", request.now.ms));
  } else {
    const auto bring_up_to_date = plan->building ? build_index : update_index;
    TRY(bring_up_to_date(folder, state, seals, *plan, request, progress, report));
  }
  base::log(base::LogLevel::debug,
            {"index", "brought the rows up to date", folder.workspace(), stopwatch.seconds()});
  return report;
}

Result<IndexPassReport> preview_index_pass(base::Disk& disk,
                                           const state::StateFolder& folder,
                                           const IndexPassRequest& request) {
  TRY_ASSIGN(const PassPreview preview, preview_pass(disk, folder, request.threads));
  IndexPassReport report;
  report.scanned = preview.scanned;
  report.added = preview.differences.added.size();
  report.changed = request.extent == Extent::everything ? report.scanned - report.added
                                                        : preview.differences.changed.size();
  report.removed = preview.differences.gone.size();
  report.meta = preview.meta;
  return report;
}

}  // namespace daybook::service
