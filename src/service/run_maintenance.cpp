// SPDX-License-Identifier: MIT
#include "daybook/service/run_maintenance.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daybook::service {
namespace {

using state::KnownRun;
using state::RunMaintenance;

constexpr const char* kPass = "startup";
constexpr const char* kPolicyChange = "policy";
/// The time of a report whose pass had nothing to do is brought up to date no more often.
constexpr std::int64_t kRefreshMs = 60LL * 60 * 1000;

std::string name_of(const std::string& index_id, std::uint64_t generation) {
  return index_id + " " + std::to_string(generation);
}

Result<std::vector<KnownRun>> runs_in(index::Reader& reader) {
  std::vector<KnownRun> runs;
  TRY(reader.runs([&runs](const lineage::SessionToken& session,
                          lineage::Timestamp captured_at,
                          lineage::Timestamp recorded_at) {
    runs.push_back({session, captured_at, recorded_at});
  }));
  return runs;
}

using KnownRuns = std::optional<std::vector<KnownRun>>;

/// Nothing: there is no index.
Result<KnownRuns> runs_of_index(const state::StateFolder& folder, RunMaintenance& report) {
  auto reader = index::Reader::open(folder.file(index::kIndexFile));
  if (!reader) {
    return reader.error().kind == ErrorKind::not_found ? Result(KnownRuns())
                                                       : std::move(reader).error();
  }
  TRY_ASSIGN(auto runs, runs_in(*reader));
  report.index = name_of(reader->meta().index_id, reader->meta().generation);
  return KnownRuns(std::move(runs));
}

bool is_due(const RunMaintenance& last, const std::string& index, lineage::Timestamp now) {
  return last.index != index || last.failed() || (last.next_due && *last.next_due <= now) ||
         now.ms - last.checked_at.ms >= kRefreshMs || now < last.checked_at;
}

RunMaintenance failed(const char* source, const Error& error, lineage::Timestamp now) {
  RunMaintenance report;
  report.source = source;
  report.checked_at = now;
  report.scan_errors = 1;
  report.findings.push_back({"scan_runs", "scan_failed", error.path, {}, error.message});
  return report;
}

}  // namespace

Result<void> maintain_runs(const state::StateFolder& folder,
                           state::StateDb& state,
                           const IndexedNow& indexed) {
  const std::string index = name_of(indexed.id, indexed.generation);
  TRY_ASSIGN(const auto last, state.runs().report());
  if (last && !indexed.rebuilt && !is_due(*last, index, indexed.now)) {
    return {};
  }
  TRY_ASSIGN(auto reader, index::Reader::open(folder.file(index::kIndexFile)));
  TRY_ASSIGN(auto runs, runs_in(reader));
  RunMaintenance report;
  report.source = kPass;
  report.checked_at = indexed.now;
  report.index_rebuilt = indexed.rebuilt;
  report.index = index;
  const state::StateDb::Relaxed relaxed(state);  // the index says all of it again
  auto done = state.runs().maintain(std::move(runs), std::move(report));
  // Who holds state.db now keeps nobody's pass from its end; the next one does it.
  return done || done.error().kind == ErrorKind::busy ? Result<void>() : std::move(done).error();
}

Result<void> note_failed_maintenance(state::StateDb& state,
                                     const Error& error,
                                     lineage::Timestamp now) {
  RunMaintenance report = failed(kPass, error, now);
  TRY_ASSIGN(auto last, state.runs().report());
  if (last) {
    last->checked_at = now;
    if (*last == report) {
      return {};  // it is tried again and again
    }
  }
  const state::StateDb::Relaxed relaxed(state);
  return state.runs().put_report(report);
}

Result<std::optional<state::RunMaintenance>> set_run_policy(const state::StateFolder& folder,
                                                            state::StateDb& state,
                                                            const state::ChangePolicy& change,
                                                            lineage::Timestamp now) {
  // A wish that is wrong is told before anything else is looked at, and fails no maintenance.
  TRY_ASSIGN(state::RunMemoryPolicy wished, state::run_memory_policy(state));
  TRY(change(wished));
  TRY(state::validate(wished));
  RunMaintenance report;
  report.source = kPolicyChange;
  report.checked_at = now;
  std::optional<Error> unread;
  const state::FindRuns find = [&](RunMaintenance& of) -> Result<KnownRuns> {
    auto runs = runs_of_index(folder, of);
    if (!runs) {
      unread = runs.error();
    }
    return runs;
  };
  auto done = state.runs().change_policy(change, std::move(report), find);
  if (unread) {
    static_cast<void>(state.runs().put_report(failed(kPolicyChange, *unread, now)));
  }
  if (!done && done.error().kind != ErrorKind::usage) {
    return std::move(done).error().in_context("the policy stays as it was");
  }
  return done;
}

Result<RunCounts> count_runs(index::Reader& reader,
                             const state::RunMemoryPolicy& policy,
                             lineage::Timestamp now) {
  TRY_ASSIGN(auto runs, runs_in(reader));
  const auto fates = state::fates_of(runs, policy, now);
  RunCounts counts;
  counts.runs = runs.size();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    counts.sessions += i == 0 || runs[i - 1].session != runs[i].session ? 1U : 0U;
    counts.stale += fates[i] == state::RunFate::tracked ? 0U : 1U;
  }
  return counts;
}

}  // namespace daybook::service
