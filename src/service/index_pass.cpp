// SPDX-License-Identifier: MIT
#include "service/index_pass.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/base/log.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/store/transaction.hpp"
#include "service/narrow_plan.hpp"
#include "service/pass_plan.hpp"
#include "service/row_update.hpp"
#include "service/seal_keeper.hpp"
#include "service/text_pass.hpp"

#include <algorithm>
#include <utility>

namespace daybook::service {
namespace {

class IndexPass {
 public:
  IndexPass(const state::StateFolder& folder,
            state::StateDb& state,
            SealKeeper& seals,
            PassPlan& plan,
            const IndexPassRequest& request,
            WorkProgress& progress)
      : folder_(folder),
        state_(state),
        seals_(seals),
        plan_(plan),
        request_(request),
        progress_(progress) {
    report_.scanned = plan.listing->entries().size();
    report_.erased = plan.removal_is_new;
    report_.notices = plan.notices;
    report_.meta = plan.known.meta;
  }

  Result<IndexPassReport> run() {
    report_.emptied = plan_.doubtful;
    if (plan_.doubtful) {
      return std::move(report_);
    }
    if (plan_.nothing_to_do() && plan_.reach == Reach::narrow) {
      return std::move(report_);
    }
    TRY(plan_.nothing_to_do() ? note_sweep() : plan_.building ? build() : update());
    return std::move(report_);
  }

 private:
  Result<void> note_sweep();
  Result<void> update();
  Result<void> build();
  Result<void> write_rows(store::Database& database);
  void take_vectors_over(store::Database& database);

  const state::StateFolder& folder_;
  state::StateDb& state_;
  SealKeeper& seals_;
  PassPlan& plan_;
  const IndexPassRequest& request_;
  WorkProgress& progress_;
  IndexPassReport report_;
};

Result<void> IndexPass::note_sweep() {
  report_.meta.swept_at_ms = request_.now.ms;
  return index::put_meta(*plan_.known.database, "swept_at_ms", request_.now.ms);
}

Result<void> IndexPass::write_rows(store::Database& database) {
  return RowUpdate(plan_, state_, seals_, database, folder_.file(index::kTextFolder))
      .run(request_.now, progress_, report_);
}

/// Somebody may have paid for them. From the old index if it can be read, whatever its rows say;
/// else they are made again.
void IndexPass::take_vectors_over(store::Database& database) {
  const std::string path = folder_.file(index::kIndexFile);
  auto old = index::open_for_vectors(path);
  if (!old || !*old) {
    return;
  }
  const auto taken = index::Vectors(database).take_over(**old);
  if (!taken) {
    base::log(base::LogLevel::warning,
              {"index", "the vectors of the former index were not taken over", path, {}});
  }
}

// In both ways the seals are safe before the rows that rely on them: else a file would be known to
// the index and never sealed.

Result<void> IndexPass::update() {
  store::Database& database = *plan_.known.database;
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database));
  TRY(write_rows(database));
  if (progress_.cancelled || !plan_.listing->knew_enough()) {
    return {};
  }
  TRY(seals_.flush());
  return transaction.commit();
}

Result<void> IndexPass::build() {
  if (request_.before_building) {
    request_.before_building();
  }
  TRY_ASSIGN(const std::int64_t published, state_.publications().highest_generation());
  const auto generation =
      std::max(static_cast<std::uint64_t>(published), plan_.known.meta.generation) + 1;
  TRY_ASSIGN(auto build,
             index::IndexBuild::begin(folder_.file(index::kIndexFile), plan_.secret, generation));
  report_.meta = build.meta();
  report_.rows_changed = true;
  report_.rebuilt = true;
  {
    TRY_ASSIGN(auto transaction, store::Transaction::begin(build.database()));
    TRY(write_rows(build.database()));
    if (progress_.cancelled) {
      return {};
    }
    take_vectors_over(build.database());
    TRY(transaction.commit());
  }
  TRY(seals_.write_beside());
  TRY(build.complete());
  TRY(seals_.flush());
  plan_.known.database.reset();
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
             plan_pass(disk,
                       folder,
                       state,
                       seals,
                       {request.extent, request.threads, request.emptiness, request.guard}));
  TRY_ASSIGN(auto report, IndexPass(folder, state, seals, *plan, request, progress).run());
  base::log(base::LogLevel::debug,
            {"index", "brought the rows up to date", folder.workspace(), stopwatch.seconds()});
  return report;
}

Result<std::optional<IndexPassReport>> run_narrow_index_pass(base::Disk& disk,
                                                             const state::StateFolder& folder,
                                                             state::StateDb& state,
                                                             index::OpenedIndex index,
                                                             const NarrowPassRequest& request,
                                                             WorkProgress& progress) {
  const base::Stopwatch stopwatch;
  TRY_ASSIGN(SealKeeper seals, SealKeeper::make(state, request.now));
  TRY_ASSIGN(
      const auto plan,
      plan_narrow_pass(disk, folder, state, std::move(index), seals, request.guard, request.hints));
  if (!plan) {
    return std::optional<IndexPassReport>();
  }
  const IndexPassRequest pass{
      Extent::changes, request.now, 1, Emptiness::believed, request.guard, {}};
  TRY_ASSIGN(auto report, IndexPass(folder, state, seals, *plan, pass, progress).run());
  if (!plan->listing->knew_enough()) {
    return std::optional<IndexPassReport>();
  }
  base::log(base::LogLevel::debug,
            {"index", "brought some sessions up to date", folder.workspace(), stopwatch.seconds()});
  return std::optional(std::move(report));
}

}  // namespace daybook::service
