// SPDX-License-Identifier: MIT
#include "daybook/state/tracked_runs.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "daybook/state/audit.hpp"
#include "daybook/store/transaction.hpp"
#include "state/meta_counter.hpp"
#include "state/token_blob.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace daybook::state {
namespace {

using lineage::Timestamp;
using store::Row;

struct Pruning {
  const char* reason;
  const char* message;
  const char* counter;
  std::uint64_t RunMaintenance::*count;
};

constexpr Pruning kExpired{"ttl_expired",
                           "older than the policy keeps runs",
                           kPrunedTtlTotal,
                           &RunMaintenance::pruned_ttl};
constexpr Pruning kOverflow{"session_overflow",
                            "its session has more runs than the policy keeps",
                            kPrunedOverflowTotal,
                            &RunMaintenance::pruned_overflow};
constexpr Pruning kOrphan{"orphan",
                          "no valid summary tells of it any more",
                          kPrunedOrphanTotal,
                          &RunMaintenance::pruned_orphans};

std::string name_of(const KnownRun& run) {
  return "memory/" + lineage::to_string(lineage::ArtifactName{
                         run.session, run.captured_at, lineage::Kind::summary});
}

void note_pruned(const KnownRun& run, const Pruning& pruning, RunMaintenance& report) {
  ++(report.*pruning.count);
  if (report.findings.size() < kMostMaintenanceFindings) {
    report.findings.push_back(
        {"forget_run", pruning.reason, name_of(run), run.session.to_string(), pruning.message});
  }
}

/// What changes in the table of tracked runs.
struct Changes {
  std::vector<KnownRun> come;
  std::vector<KnownRun> go;
};

Changes compare(std::vector<KnownRun>& runs,
                const std::vector<KnownRun>& tracked,
                const RunMemoryPolicy& policy,
                RunMaintenance& report) {
  const std::vector<RunFate> fates = fates_of(runs, policy, report.checked_at);
  std::map<KnownRun, RunFate> fate_of;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    fate_of.emplace(runs[i], fates[i]);
    if (fates[i] == RunFate::tracked) {
      const Timestamp due{runs[i].recorded_at.ms + static_cast<std::int64_t>(policy.retention_ms) +
                          1};
      report.next_due = std::min(report.next_due.value_or(due), due);
    }
  }
  Changes changes;
  for (const KnownRun& run : tracked) {
    const auto known = fate_of.find(run);
    if (known != fate_of.end() && known->second == RunFate::tracked) {
      fate_of.erase(known);
      continue;
    }
    changes.go.push_back(run);
    note_pruned(run,
                known == fate_of.end()                  ? kOrphan
                : known->second == RunFate::ttl_expired ? kExpired
                                                        : kOverflow,
                report);
  }
  for (const auto& [run, fate] : fate_of) {
    if (fate == RunFate::tracked) {
      changes.come.push_back(run);
    }
  }
  return changes;
}

Result<void> write(store::Database& database, const Changes& changes) {
  TRY_ASSIGN(auto erase,
             database.prepare("DELETE FROM tracked_run WHERE token = ? AND captured_at = ?"));
  for (const KnownRun& run : changes.go) {
    const TokenBytes token = to_bytes(run.session);
    TRY(erase.run(store::as_blob(token), run.captured_at.ms));
  }
  TRY_ASSIGN(auto insert, database.prepare("INSERT OR REPLACE INTO tracked_run VALUES(?,?,?)"));
  for (const KnownRun& run : changes.come) {
    const TokenBytes token = to_bytes(run.session);
    TRY(insert.run(store::as_blob(token), run.captured_at.ms, run.recorded_at.ms));
  }
  return {};
}

Result<void> write_report(store::Database& database, const RunMaintenance& report) {
  TRY(database.execute("DELETE FROM run_maintenance; DELETE FROM run_maintenance_finding"));
  TRY_ASSIGN(auto insert,
             database.prepare("INSERT INTO run_maintenance VALUES(1,?,?,?,?,?,?,?,?,?,?)"));
  TRY(insert.run(report.source,
                 report.checked_at.ms,
                 report.index_rebuilt,
                 report.pruned_ttl,
                 report.pruned_overflow,
                 report.pruned_orphans,
                 report.scan_errors,
                 report.prune_errors,
                 report.index,
                 report.next_due ? std::optional(report.next_due->ms) : std::nullopt));
  TRY_ASSIGN(auto finding,
             database.prepare("INSERT INTO run_maintenance_finding(action, reason, path, session,"
                              " message) VALUES(?,?,?,?,?)"));
  for (const RunMaintenance::Finding& one : report.findings) {
    TRY(finding.run(one.action, one.reason, one.path, one.session, one.message));
  }
  return {};
}

}  // namespace

std::vector<RunFate> fates_of(std::vector<KnownRun>& runs,
                              const RunMemoryPolicy& policy,
                              Timestamp now) {
  std::sort(runs.begin(), runs.end(), [](const KnownRun& a, const KnownRun& b) {
    return std::tie(a.session, b.recorded_at, b.captured_at) <
           std::tie(b.session, a.recorded_at, a.captured_at);
  });
  std::vector<RunFate> fates;
  fates.reserve(runs.size());
  std::uint64_t kept = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    kept = i > 0 && runs[i - 1].session == runs[i].session ? kept : 0;
    if (is_expired(policy, runs[i].recorded_at, now)) {
      fates.push_back(RunFate::ttl_expired);
    } else if (kept == policy.max_tracked_per_session) {
      fates.push_back(RunFate::session_overflow);
    } else {
      ++kept;
      fates.push_back(RunFate::tracked);
    }
  }
  return fates;
}

Result<std::vector<KnownRun>> TrackedRuns::tracked() {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT token, captured_at, recorded_at FROM tracked_run"
                               " ORDER BY token, captured_at"));
  std::vector<KnownRun> runs;
  TRY(select.each([&runs](const Row& row) {
    runs.push_back({token_from_blob(row.blob(0)), {row.integer(1)}, {row.integer(2)}});
  }));
  return runs;
}

Result<void> TrackedRuns::follow(std::vector<KnownRun> runs,
                                 const RunMemoryPolicy& policy,
                                 RunMaintenance& report) {
  TRY_ASSIGN(const auto before, tracked());
  const Changes changes = compare(runs, before, policy, report);
  TRY(write(database_, changes));
  TRY(add_to_counter(database_, kStoredTotal, changes.come.size()));
  for (const Pruning& pruning : {kExpired, kOverflow, kOrphan}) {
    TRY(add_to_counter(database_, pruning.counter, report.*pruning.count));
  }
  return {};
}

Result<RunMaintenance> TrackedRuns::maintain(std::vector<KnownRun> runs, RunMaintenance report) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY_ASSIGN(const RunMemoryPolicy policy, run_memory_policy(database_));
  TRY(follow(std::move(runs), policy, report));
  TRY(write_report(database_, report));
  TRY(transaction.commit());
  return report;
}

Result<std::optional<RunMaintenance>> TrackedRuns::change_policy(const ChangePolicy& change,
                                                                 RunMaintenance report,
                                                                 const FindRuns& find) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY_ASSIGN(const RunMemoryPolicy before, run_memory_policy(database_));
  RunMemoryPolicy policy = before;
  TRY(change(policy));
  TRY(put_run_memory_policy(database_, policy));
  if (policy != before) {
    TRY(Audit(database_).append({report.checked_at,
                                 AuditAction::set_policy,
                                 "run_memory",
                                 {},
                                 differences(before, policy)}));
  }
  TRY_ASSIGN(auto runs, find(report));
  if (runs) {
    TRY(follow(std::move(*runs), policy, report));
    TRY(write_report(database_, report));
  }
  TRY(transaction.commit());
  return runs ? std::optional(std::move(report)) : std::nullopt;
}

Result<void> TrackedRuns::put_report(const RunMaintenance& report) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY(write_report(database_, report));
  return transaction.commit();
}

Result<std::optional<RunMaintenance>> TrackedRuns::report() {
  std::optional<RunMaintenance> report;
  TRY_ASSIGN(
      auto select,
      database_.prepare("SELECT source, checked_at, index_rebuilt, pruned_ttl, pruned_overflow,"
                        " pruned_orphans, scan_errors, prune_errors, index_state, next_due"
                        " FROM run_maintenance"));
  TRY(select.each([&report](const Row& row) {
    const auto count = [&row](int column) {
      return static_cast<std::uint64_t>(row.integer(column));
    };
    report.emplace();
    report->source = row.text(0);
    report->checked_at.ms = row.integer(1);
    report->index_rebuilt = row.integer(2) != 0;
    report->pruned_ttl = count(3);
    report->pruned_overflow = count(4);
    report->pruned_orphans = count(5);
    report->scan_errors = count(6);
    report->prune_errors = count(7);
    report->index = row.text(8);
    if (const auto due = row.optional_integer(9)) {
      report->next_due = Timestamp{*due};
    }
  }));
  if (report) {
    TRY_ASSIGN(auto findings,
               database_.prepare("SELECT action, reason, path, session, message"
                                 " FROM run_maintenance_finding ORDER BY id"));
    TRY(findings.each([&report](const Row& row) {
      report->findings.push_back({std::string(row.text(0)),
                                  std::string(row.text(1)),
                                  std::string(row.text(2)),
                                  std::string(row.text(3)),
                                  std::string(row.text(4))});
    }));
  }
  return report;
}

Result<void> TrackedRuns::erase(const lineage::SessionToken& token) {
  const TokenBytes bytes = to_bytes(token);
  TRY_ASSIGN(auto runs, database_.prepare("DELETE FROM tracked_run WHERE token = ?"));
  TRY(runs.run(store::as_blob(bytes)));
  TRY_ASSIGN(auto findings,
             database_.prepare("DELETE FROM run_maintenance_finding WHERE session = ?"));
  return findings.run(token.to_string());
}

Result<std::optional<RunMaintenance>> last_run_maintenance(const StateFolder& folder) {
  TRY_ASSIGN(auto database, open_to_read(folder));
  if (!database) {
    return std::optional<RunMaintenance>();
  }
  // A former version's has no such table until the next pass.
  TRY_ASSIGN(const auto table,
             database->integer("SELECT 1 FROM sqlite_master WHERE name = 'run_maintenance'"));
  return table ? TrackedRuns(*database).report() : std::optional<RunMaintenance>();
}

}  // namespace daybook::state
