// SPDX-License-Identifier: MIT
#include "daybook/service/pipeline.hpp"

#include "daybook/base/log.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/capture/learning_guard.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/model/request_pace.hpp"
#include "daybook/service/run_maintenance.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"
#include "service/capture_receipts.hpp"
#include "service/erasure.hpp"
#include "service/index_pass.hpp"
#include "service/kept_databases.hpp"
#include "service/publication.hpp"
#include "service/side_thread.hpp"
#include "service/text_pass.hpp"
#include "service/window_change.hpp"

#include <algorithm>
#include <utility>

namespace daybook::service {
namespace {

/// A damaged page may come to light in the middle: then the index is set aside and made anew, once.
Result<IndexPassReport> index_or_rebuild(base::Disk& disk,
                                         const state::StateFolder& folder,
                                         state::StateDb& state,
                                         const IndexPassRequest& request,
                                         WorkProgress& progress) {
  auto report = run_index_pass(disk, folder, state, request, progress);
  if (report || report.error().kind != ErrorKind::damaged ||
      report.error().path != folder.file(index::kIndexFile)) {
    return report;
  }
  TRY_ASSIGN(const std::string aside, store::set_aside(folder.file(index::kIndexFile)));
  auto again = run_index_pass(disk, folder, state, request, progress);
  if (again) {
    again->notices.push_back("the index was damaged; it was set aside as " + aside +
                             " and made anew");
  }
  return again;
}

void append(std::vector<std::string>& to, std::vector<std::string>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void take_counts(IndexPassReport& indexed, PassReport& report) {
  report.scanned = indexed.scanned;
  report.added = indexed.added;
  report.changed = indexed.changed;
  report.removed = indexed.removed;
  report.rows_changed = indexed.rows_changed;
  report.emptied = indexed.emptied;
  report.generation = indexed.meta.generation;
  append(report.notices, std::move(indexed.notices));
}

Result<void> fill_counts(const state::StateFolder& folder,
                         lineage::Timestamp now,
                         PassReport& report) {
  TRY_ASSIGN(index::Reader reader, index::Reader::open(folder.file(index::kIndexFile)));
  for (const index::FileStatus status : {index::FileStatus::invalid, index::FileStatus::changed}) {
    TRY_ASSIGN(const std::uint64_t count, reader.count_files(status));
    report.invalid += count;
  }
  TRY_ASSIGN(report.sessions, reader.count_sessions());
  return reader.sessions({{}, {}, lineage::Timestamp{now.ms + 1}, {}, index::Paths::not_wanted},
                         [&report](const index::SessionRow&) {
                           ++report.future;
                           return store::Visit::next;
                         });
}

}  // namespace

bool may_show_what_is_gone(const PassReport& report, const std::vector<std::string>& agents) {
  return std::any_of(
      report.projections.begin(), report.projections.end(), [&agents](const auto& projection) {
        return (projection.withheld || projection.behind) &&
               (agents.empty() ||
                std::find(agents.begin(), agents.end(), projection.agent_id) != agents.end());
      });
}

Pipeline::Pipeline(base::Disk& disk,
                   const state::StateFolder& folder,
                   const base::Clock& clock,
                   Keeping keeping)
    : disk_(disk),
      folder_(folder),
      clock_(clock),
      lock_(std::make_unique<state::SharedPipelineLock>(folder)),
      databases_(std::make_unique<KeptDatabases>(folder, keeping)),
      guard_(std::make_unique<capture::LearningGuard>()),
      text_(std::make_unique<SideThread>()),
      vectors_(std::make_unique<SideThread>()) {}

Pipeline::~Pipeline() = default;

Result<parse::Config> Pipeline::config_of(const PassRequest& request) {
  return request.config ? *request.config : load_config(disk_, folder_.workspace());
}

state::PassRequest Pipeline::asking(const PassRequest& request) const {
  return {request.command, {clock_.now_ms()}, request.wait};
}

Result<PassReport> Pipeline::run(const PassRequest& request, WorkProgress& progress) {
  const base::Stopwatch stopwatch;
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const parse::Config config, config_of(request));
  TRY_ASSIGN(const auto lock, lock_->hold({request.command, now, request.wait}));
  PassReport report;
  auto done = run_extent(request, config, progress, report);
  done ? databases_->rest() : databases_->forget();
  TRY(done);
  if (progress.cancelled) {
    return report;
  }
  if (request.counting == Counting::wanted && request.extent != Extent::nothing) {
    TRY(fill_counts(folder_, now, report));
  }
  report.seconds = stopwatch.seconds();
  return report;
}

Result<void> Pipeline::run_extent(const PassRequest& request,
                                  const parse::Config& config,
                                  WorkProgress& progress,
                                  PassReport& report) {
  *guard_ = capture::read_learning_guard(disk_, folder_.workspace(), config);
  if (!guard_->problem.empty()) {
    report.notices.push_back("nothing that was learned is shown: " + guard_->problem);
  }
  TRY_ASSIGN(state::StateDb * state, databases_->state(report.notices));
  if (request.extent == Extent::nothing) {
    return publish_rows(request, config, *state, progress, report);
  }
  if (!request.hints.empty()) {
    TRY_ASSIGN(report.narrow, run_narrowly(request, config, *state, progress, report));
  }
  if (!report.narrow && !progress.cancelled) {
    auto done = run_wholly(request, config, *state, progress, report);
    if (!done && done.error().kind != ErrorKind::busy) {
      // Best effort: what could not be looked at may be the disk of state.db, too.
      static_cast<void>(note_failed_maintenance(*state, done.error(), {clock_.now_ms()}));
    }
    return done;
  }
  return {};
}

/// False: it takes a whole pass.
Result<bool> Pipeline::run_narrowly(const PassRequest& request,
                                    const parse::Config& config,
                                    state::StateDb& state,
                                    WorkProgress& progress,
                                    PassReport& report) {
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const bool removing, state.flows().has_unfinished(state::kRemovalFlow));
  TRY_ASSIGN(const bool to_erase, is_erasure_pending(state));
  if (removing || to_erase) {
    return false;
  }
  auto index = databases_->index();
  if (!index) {
    return false;  // the whole pass says what is wrong, and mends it
  }
  auto indexed = run_narrow_index_pass(
      disk_, folder_, state, std::move(index).value(), {now, *guard_, request.hints}, progress);
  if (!indexed && indexed.error().kind == ErrorKind::damaged) {
    return false;
  }
  if (!indexed || !*indexed) {
    return indexed ? Result(false) : std::move(indexed).error();
  }
  if (progress.cancelled) {
    return true;
  }
  take_counts(**indexed, report);
  // Somebody else may have brought the rows up to date and then come to no publication.
  const index::IndexMeta& rows = (*indexed)->meta;
  const bool shown = rows.index_id == shown_index_ && rows.generation == shown_generation_;
  if (report.rows_changed || !shown) {
    TRY(note_captures_indexed(state, request.hints, now));
    TRY(publish_rows(request, config, state, progress, report));
    TRY(note_captures_published(state, report, now));
  }
  if (request.text == Text::with_full_text) {
    follow_with_text(request, (*indexed)->months_behind, progress, report);
  }
  return true;
}

Result<void> Pipeline::publish_rows(const PassRequest& request,
                                    const parse::Config& config,
                                    state::StateDb& state,
                                    WorkProgress& progress,
                                    PassReport& report) {
  TRY_ASSIGN(auto publication, publish(request, config, state, base::Stopwatch(), report));
  if (!publication.manifests_updated.empty()) {
    TRY_ASSIGN(auto index, databases_->index());
    TRY_ASSIGN(const auto indexed,
               run_narrow_index_pass(disk_,
                                     folder_,
                                     state,
                                     std::move(index),
                                     {{clock_.now_ms()}, *guard_, publication.manifests_updated},
                                     progress));
    if (indexed) {
      report.generation = indexed->meta.generation;
    }
  }
  note_shown(publication, report);
  return publication.problem ? Result<void>(std::move(*publication.problem)) : Result<void>();
}

/// With what a report says of it; its time is taken from the beginning of `stopwatch`.
Result<PublicationReport> Pipeline::publish(const PassRequest& request,
                                            const parse::Config& config,
                                            state::StateDb& state,
                                            const base::Stopwatch& stopwatch,
                                            PassReport& report) {
  TRY_ASSIGN(auto publication,
             publish_ledgers(disk_, folder_, *databases_, state, config, clock_, request));
  report.projections = std::move(publication.projections);
  append(report.notices, std::move(publication.notices));
  report.ledger_seconds = stopwatch.seconds();
  return publication;
}

void Pipeline::note_shown(const PublicationReport& publication, const PassReport& report) {
  if (!publication.problem) {
    shown_index_ = publication.rows.index_id;
    // With what the publication itself has changed in the rows.
    shown_generation_ = std::max(publication.rows.generation, report.generation);
  }
}

Result<std::optional<lineage::Timestamp>> Pipeline::next_window_change(lineage::Timestamp now) {
  store::Database* const index = databases_->open_index();
  return index == nullptr ? std::optional<lineage::Timestamp>()
                          : service::next_window_change(*index, now);
}

Result<void> Pipeline::run_wholly(const PassRequest& request,
                                  const parse::Config& config,
                                  state::StateDb& state,
                                  WorkProgress& progress,
                                  PassReport& report) {
  const base::Stopwatch stopwatch;
  const lineage::Timestamp now{clock_.now_ms()};
  const std::lock_guard no_vectors(writing_vectors_);
  TRY_ASSIGN(auto resumed, capture::resume_removals(disk_, folder_, state, now));
  append(report.notices, std::move(resumed));
  TRY_ASSIGN(auto restored, capture::restore_tombstones(disk_, folder_, state));
  append(report.notices, std::move(restored));
  TRY_ASSIGN(auto captured, capture::resume_captures(disk_, folder_, state, now));
  append(report.notices, std::move(captured.notices));

  // Full text beside it would make files of months that the new index does not know of.
  IndexPassRequest index_request{
      request.extent, now, request.threads, request.emptiness, *guard_, [this] { stop_text(); }};
  TRY_ASSIGN(auto indexed, index_or_rebuild(disk_, folder_, state, index_request, progress));
  const bool rebuilt = indexed.rebuilt;
  take_counts(indexed, report);
  if (progress.cancelled || report.emptied) {
    return {};
  }
  TRY(note_captures_indexed(state, {}, now));
  if (!text_->is_under_way()) {
    TRY(forget_altered_months(folder_));
  }

  TRY_ASSIGN(auto publication, publish(request, config, state, stopwatch, report));
  if (!publication.problem) {
    TRY(note_captures_published(state, report, now));
  }
  if (!publication.manifests_updated.empty()) {
    index_request.extent = Extent::changes;
    TRY_ASSIGN(indexed, index_or_rebuild(disk_, folder_, state, index_request, progress));
    report.generation = indexed.meta.generation;
  }
  note_shown(publication, report);
  const auto maintained =
      maintain_runs(folder_, state, {indexed.meta.index_id, indexed.meta.generation, rebuilt, now});
  TRY_ASSIGN(const bool to_erase, is_erasure_pending(state));
  Result<void> erased;
  if (to_erase && !progress.cancelled) {
    erased = erase(state, request.threads, progress);
  }
  if (request.text == Text::with_full_text && !progress.cancelled) {
    stop_text();
    TRY(run_text_pass(disk_, folder_, {TextWork::catch_up, request.threads, {}}, progress));
  }
  TRY(erased);
  TRY(maintained);
  return publication.problem ? Result<void>(std::move(*publication.problem)) : Result<void>();
}

/// Of what was removed no byte may stay in any file of the state folder.
Result<void> Pipeline::erase(state::StateDb& state, unsigned threads, WorkProgress& progress) {
  stop_text();
  TRY(run_text_pass(disk_, folder_, {TextWork::erase, threads, {}}, progress));
  return progress.cancelled ? Result<void>() : erase_traces(folder_, state);
}

}  // namespace daybook::service
