// SPDX-License-Identifier: MIT
#include "daybook/service/check.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/base/log.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/capture/learning_guard.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/workspace_config.hpp"
#include "service/file_facts.hpp"
#include "service/note_examiner.hpp"
#include "service/session_check.hpp"
#include "service/unit_worker.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

namespace daybook::service {
namespace {

using lineage::Code;
using scan::VaultListing;
using Index = VaultListing::Index;

/// Which files the caller asked about.
class Selection {
 public:
  Selection(const VaultListing& listing, const CheckRequest& request)
      : listing_(listing), paths_(request.paths), agent_(request.agent) {}

  bool covers(const std::string& path) const {
    return paths_.empty() || std::any_of(paths_.begin(), paths_.end(), [&](const std::string& p) {
             return path == p || (path.starts_with(p) && path[p.size()] == '/');
           });
  }
  bool covers(Index file) const { return paths_.empty() || covers(listing_.path(file)); }
  bool covers_any(Index first, Index last) const {
    for (Index file = first; file < last; ++file) {
      if (covers(file)) {
        return true;
      }
    }
    return false;
  }

  /// What belongs to no agent is the default agent's business.
  bool covers_agent(std::string_view agent_id) const {
    return agent_.empty() ||
           agent_ == (lineage::is_valid_agent_id(agent_id) ? agent_id : lineage::kDefaultAgent);
  }

  /// A requested path that is neither a listed file nor a folder with notes in it.
  Result<void> verify() const {
    for (const std::string& path : paths_) {
      const bool known = path == scan::kMemoryFolder || listing_.contains(path) ||
                         listing_.contains_folder(path) ||
                         std::any_of(listing_.unreadable().begin(),
                                     listing_.unreadable().end(),
                                     [&path](const auto& entry) { return entry.first == path; });
      if (!known) {
        return Error{ErrorKind::usage,
                     "there is no such note in the workspace",
                     path,
                     "Name a .md file or a folder below memory/."};
      }
    }
    return {};
  }

 private:
  const VaultListing& listing_;
  const std::vector<std::string>& paths_;
  std::string_view agent_;
};

/// Where an agent was first met, in the order of paths.
struct AgentSighting {
  Index file = 0;
  std::uint32_t line = 0;
};
using Agents = std::map<std::string, AgentSighting, std::less<>>;

/// A note of something learned without an error.
struct LearningSighting {
  std::string agent_id;
  std::uint64_t id = 0;
  Index file = 0;
};

void note_agent(Agents& agents,
                const VaultListing& listing,
                const std::string& agent_id,
                AgentSighting sighting) {
  const auto [known, is_new] = agents.try_emplace(agent_id, sighting);
  if (!is_new && listing.path_less(sighting.file, known->second.file)) {
    known->second = sighting;
  }
}

/// A thread's hands and what it has found.
class Worker {
 public:
  static Result<std::unique_ptr<Worker>> make(base::Disk& disk,
                                              const std::string& workspace,
                                              const VaultListing& listing,
                                              const lineage::TombstoneSet& tombstones,
                                              LazyNoteNames& names,
                                              const capture::LearningGuard& guard) {
    TRY_ASSIGN(auto hands,
               UnitWorker::make(disk, workspace, listing, tombstones, names, Detail::findings));
    hands->use(guard);
    return std::unique_ptr<Worker>(new Worker(std::move(hands), listing));
  }

  void check_unit(Index first, Index last, const Selection& selection, WorkProgress& progress) {
    if (!selection.covers_any(first, last)) {
      progress.files_done += last - first;
      return;
    }
    hands_->examine_unit(first, last, [&](Index file, ExaminedNote&& note) {
      progress.bytes_done += note.bytes;
      ++progress.files_done;
      take(file, std::move(note), selection);
    });
  }

  ExaminedNote examine(Index file) { return hands_->examine(file); }

  void take(Index file, ExaminedNote&& note, const Selection& selection) {
    bytes += note.bytes;
    if (lineage::is_valid_agent_id(note.agent_id) && !note.removed) {
      note_agent(agents, listing_, note.agent_id, {file, note.agent_line});
    }
    if (note.learning && !is_invalidated(note.diagnostics)) {
      learnings.push_back({note.learning->agent_id, note.learning->id, file});
    }
    if (!selection.covers(file) || !selection.covers_agent(note.agent_id)) {
      return;
    }
    ++files;
    sum_up_excess(note.diagnostics);
    for (lineage::Diagnostic& diagnostic : note.diagnostics) {
      findings.push_back({file, std::move(diagnostic)});
    }
  }

  std::vector<CheckReport::Finding> findings;
  Agents agents;
  std::vector<LearningSighting> learnings;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;

 private:
  Worker(std::unique_ptr<UnitWorker> hands, const VaultListing& listing)
      : hands_(std::move(hands)), listing_(listing) {}

  std::unique_ptr<UnitWorker> hands_;
  const VaultListing& listing_;
};

/// Tombstones come first: whether any other file may be looked at depends on them.
void read_tombstones(Worker& worker,
                     const VaultListing& listing,
                     const Selection& selection,
                     lineage::TombstoneSet& tombstones) {
  std::vector<std::pair<Index, ExaminedNote>> read;
  for (Index file = 0; file < listing.entries().size(); ++file) {
    if (is_tombstone(listing, file)) {
      read.emplace_back(file, worker.examine(file));
    }
  }
  for (auto& [file, note] : read) {
    honour(note, listing.file_name(file), tombstones);
    if (listing.entries()[file].belongs_to_session()) {
      worker.take(file, std::move(note), selection);  // others come by again as single files
    }
  }
}

/// Two agents whose ids differ only in case would share a folder on many disks.
void check_agent_spelling(const Agents& agents, const Selection& selection, CheckReport& report) {
  std::map<std::string, std::set<std::string>> by_folded;
  // Which has a page, whether or not anything is its own yet.
  by_folded[std::string(projection::kDefaultAgent)].emplace(projection::kDefaultAgent);
  for (const auto& [agent, sighting] : agents) {
    by_folded[base::fold_case(agent)].insert(agent);
  }
  for (const auto& [agent, sighting] : agents) {
    const std::set<std::string>& spellings = by_folded[base::fold_case(agent)];
    if (spellings.size() < 2 || !selection.covers(sighting.file) ||
        !selection.covers_agent(agent)) {
      continue;
    }
    const std::string& other =
        agent == *spellings.begin() ? *std::next(spellings.begin()) : *spellings.begin();
    report.add(sighting.file,
               {Code::bad_agent_id,
                sighting.line,
                std::string("agent_id '")
                    .append(agent)
                    .append("' differs from '")
                    .append(other)
                    .append("' only in case")});
  }
}

/// Of notes of one agent with the same id the smallest path counts.
void check_learning_ids(std::vector<LearningSighting>& learnings,
                        const VaultListing& listing,
                        const Selection& selection,
                        CheckReport& report) {
  std::sort(learnings.begin(), learnings.end(), [&](const auto& left, const auto& right) {
    const auto left_key = std::tie(left.agent_id, left.id);
    const auto right_key = std::tie(right.agent_id, right.id);
    return left_key != right_key ? left_key < right_key : listing.path_less(left.file, right.file);
  });
  const LearningSighting* counting = nullptr;
  for (const LearningSighting& learning : learnings) {
    if (counting == nullptr || counting->id != learning.id ||
        counting->agent_id != learning.agent_id) {
      counting = &learning;
    } else if (selection.covers(learning.file) && selection.covers_agent(learning.agent_id)) {
      report.add(
          learning.file,
          {Code::duplicate_learning,
           0,
           base::quoted(listing.path(counting->file)) + " has the same learning_id and counts"});
    }
  }
}

/// Hands out units one by one until they are gone.
void run_workers(std::vector<std::unique_ptr<Worker>>& workers,
                 const VaultListing& listing,
                 const Selection& selection,
                 WorkProgress& progress) {
  const auto starts = listing.unit_starts();
  std::atomic<std::size_t> next{0};
  const auto work = [&](Worker& worker) {
    for (std::size_t unit = next++; unit < starts.size() && !progress.cancelled; unit = next++) {
      const Index last = unit + 1 < starts.size() ? starts[unit + 1]
                                                  : static_cast<Index>(listing.entries().size());
      worker.check_unit(starts[unit], last, selection, progress);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < workers.size(); ++i) {
    threads.emplace_back([&work, &worker = *workers[i]] { work(worker); });
  }
  work(*workers.front());
}

}  // namespace

Result<CheckReport> check(base::Disk& disk, const CheckRequest& request, WorkProgress& progress) {
  const base::Stopwatch stopwatch;
  auto root = disk.open_root(request.workspace);
  if (!root) {
    Error error = std::move(root).error();
    error.kind = error.kind == ErrorKind::not_found ? ErrorKind::no_workspace : ErrorKind::io;
    error.hint = "Name the workspace with --workspace DIR, or make one with 'daybook init DIR'.";
    return error;
  }
  auto listed_or_not = VaultListing::list(**root);
  if (!listed_or_not) {
    listed_or_not.error().path = request.workspace + "/" + std::string(scan::kMemoryFolder);
    return std::move(listed_or_not).error();
  }
  CheckReport report(std::move(listed_or_not).value());
  const VaultListing& listing = report.listing();
  base::log(base::LogLevel::debug,
            {"scan", "listed memory/", request.workspace, stopwatch.seconds()});
  const Selection selection(listing, request);
  TRY(selection.verify());
  progress.files_total = listing.entries().size();

  lineage::TombstoneSet tombstones;
  LazyNoteNames names;
  TRY_ASSIGN(const parse::Config config, load_config(disk, request.workspace));
  const capture::LearningGuard guard =
      capture::read_learning_guard(disk, request.workspace, config);
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0; i < thread_count(request.threads, listing.unit_starts().size()); ++i) {
    TRY_ASSIGN(auto worker,
               Worker::make(disk, request.workspace, listing, tombstones, names, guard));
    workers.push_back(std::move(worker));
  }
  read_tombstones(*workers.front(), listing, selection, tombstones);
  run_workers(workers, listing, selection, progress);

  Agents agents;
  std::vector<LearningSighting> learnings;
  for (auto& worker : workers) {
    report.append(std::move(worker->findings));
    report.files += worker->files;
    report.bytes += worker->bytes;
    std::move(worker->learnings.begin(), worker->learnings.end(), std::back_inserter(learnings));
    for (const auto& [agent_id, sighting] : worker->agents) {
      note_agent(agents, listing, agent_id, sighting);
    }
    worker.reset();
  }
  check_agent_spelling(agents, selection, report);
  check_learning_ids(learnings, listing, selection, report);
  for (const auto& [path, diagnostic] : listing.unreadable()) {
    if (selection.covers(path) && selection.covers_agent({})) {
      report.add(path, diagnostic);
    }
  }
  report.sort();
  report.seconds = stopwatch.seconds();
  base::log(base::LogLevel::debug,
            {"check", "checked every file", request.workspace, report.seconds});
  return report;
}

}  // namespace daybook::service
