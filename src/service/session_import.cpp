// SPDX-License-Identifier: MIT
#include "daybook/service/session_import.hpp"

#include "daybook/capture/capture.hpp"
#include "daybook/capture/vault_names.hpp"
#include "daybook/service/capture_tools.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace daybook::service {
namespace {

using capture::CaptureDeed;
using harness::SessionFile;
using lineage::SessionToken;

constexpr std::size_t kMostFailuresTold = 20;
constexpr unsigned kWorkersPerCore = 2;
constexpr unsigned kMostWorkers = 8;
constexpr std::int64_t kNsPerMs = 1'000'000;

/// A full disk, too few descriptors: not a fault of the file.
bool may_pass(const Error& error) {
  return error.kind == ErrorKind::io || error.kind == ErrorKind::busy;
}

/// What is written of a part has the link to its parent or never gets it.
Error parent_put_back() {
  return {ErrorKind::busy, "its parent session could not be imported this time", {}, {}};
}

/// What all workers share.
class Board {
 public:
  Board(const ImportPlace& place, capture::VaultNames names)
      : place_(place), names_(std::move(names)) {}

  const capture::VaultNames& names() const { return names_; }

  void note(const SessionFile& file, const capture::CaptureResult& result) {
    const std::lock_guard lock(mutex_);
    switch (result.deed) {
      case CaptureDeed::captured:
        ++report_.imported;
        sessions_.insert(result.session_token);
        report_.broken_lines += result.broken_lines - result.huge_lines;
        report_.unknown_lines += result.unknown_lines;
        report_.huge_lines += result.huge_lines;
        report_.secrets += result.secrets;
        report_.pii += result.pii;
        break;
      case CaptureDeed::already_captured:
        ++report_.already_there;
        break;
      case CaptureDeed::session_removed:
        ++report_.removed;
        break;
      case CaptureDeed::nothing_said:
        report_.broken_lines += result.broken_lines - result.huge_lines;
        report_.unknown_lines += result.unknown_lines;
        report_.huge_lines += result.huge_lines;
        if (result.unread_lines() == 0) {
          ++report_.empty;
        } else {
          ++report_.failed;
          if (report_.failures.size() < kMostFailuresTold) {
            report_.failures.push_back(
                {file.path, "none of its lines can be read; is it of another harness?"});
          }
        }
        break;
    }
    report_.bytes += file.size;
    if (!result.manifest_path.empty()) {
      if (const auto token = SessionToken::parse(result.session_token)) {
        manifests_.insert_or_assign(*token, result.manifest_path);
      }
    }
  }

  /// `token`: by the file's name, all that is known of one that could not be read.
  void fail(const std::string& path, const SessionToken& token, const Error& error) {
    const std::lock_guard lock(mutex_);
    ++report_.failed;
    if (may_pass(error)) {
      put_back_.insert(token);
    }
    if (report_.failures.size() < kMostFailuresTold) {
      report_.failures.push_back({path, error.message});
    }
  }

  /// Whether it was refused for a reason that the next run may not meet.
  bool is_put_back(const SessionToken& token) {
    const std::lock_guard lock(mutex_);
    return put_back_.contains(token);
  }

  /// Empty: there is none, so far.
  Result<std::string> manifest_of(const SessionToken& token) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = manifests_.find(token); found != manifests_.end()) {
        return found->second;
      }
    }
    if (!names_.has_session(token)) {
      return std::string();
    }
    return capture::manifest_of(place_.disk, place_.folder.workspace(), token);
  }

  void put_off(const SessionFile& file) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({file});
  }

  std::vector<SessionFamily> take_waiting() { return std::exchange(waiting_, {}); }
  ImportReport take_report() {
    report_.sessions = sessions_.size();
    return std::move(report_);
  }
  std::mutex& writing() { return writing_; }

 private:
  const ImportPlace& place_;
  const capture::VaultNames names_;
  std::mutex writing_;  // of state.db
  std::mutex mutex_;
  ImportReport report_;                            // guarded by mutex_
  std::map<SessionToken, std::string> manifests_;  // guarded by mutex_
  std::vector<SessionFamily> waiting_;             // guarded by mutex_
  std::set<SessionToken> put_back_;                // guarded by mutex_
  std::set<std::string> sessions_;                 // guarded by mutex_
};

/// Whether a session whose parent is not in the vault waits for it.
enum class Orphans : std::uint8_t { wait, are_taken };

class Worker {
 public:
  Worker(const ImportPlace& place,
         const ImportPlan& plan,
         Board& board,
         WorkProgress& progress,
         CaptureTools tools,
         state::StateDb state)
      : place_(place),
        plan_(plan),
        board_(board),
        progress_(progress),
        tools_(std::move(tools)),
        state_(std::move(state)) {}

  void take(const SessionFamily& family, Orphans orphans) {
    for (const SessionFile& file : family) {
      if (progress_.cancelled) {
        return;
      }
      import(file, orphans);
    }
  }

 private:
  void import(const SessionFile& file, Orphans orphans) {
    if (!file.parent_id.empty() && board_.is_put_back(token_of(file.parent_id))) {
      fail(file, parent_put_back());
      ++progress_.files_done;
      return;
    }
    const std::uint64_t before = read_;
    bool waits = false;
    const auto result = capture::end_session(capture_place(), request_of(file, orphans, waits));
    if (waits) {
      progress_.bytes_done -= read_ - before;  // it is read once more
      board_.put_off(file);
      return;
    }
    if (result) {
      board_.note(file, *result);
      if (const auto kept = keep_receipt(file, *result); !kept) {
        fail(file, kept.error());
      }
    } else if (!progress_.cancelled) {
      fail(file, result.error());
    }
    ++progress_.files_done;
  }

  SessionToken token_of(const std::string& session_id) const {
    return SessionToken::derive(plan_.agent_id, session_id);
  }

  void fail(const SessionFile& file, const Error& error) {
    board_.fail(file.path, token_of(harness::likely_session_id(plan_.harness, file)), error);
  }

  capture::CapturePlace capture_place() {
    return {place_.disk,
            place_.folder,
            state_,
            tools_.policy,
            place_.model == ModelUse::configured ? tools_.model.get() : nullptr,
            place_.now,
            &board_.names(),
            capture::ReceiptSync::relaxed,
            &board_.writing()};
  }

  capture::SessionEnd request_of(const SessionFile& file, Orphans orphans, bool& waits) {
    capture::SessionEnd request;
    request.session.agent_id = plan_.agent_id;
    request.session.harness = to_string(plan_.harness);
    request.format = plan_.harness;
    request.kept = capture::KeptFile{{file.mtime_ns / kNsPerMs},
                                     harness::likely_session_id(plan_.harness, file),
                                     file.parent_id};
    request.transcript = [this, &file](const canon::TakePiece& take) { return read(file, take); };
    request.find_parent =
        [this, orphans, &waits](const SessionToken& token) -> Result<std::string> {
      TRY_ASSIGN(std::string manifest, board_.manifest_of(token));
      if (manifest.empty() && board_.is_put_back(token)) {
        return parent_put_back();
      }
      if (manifest.empty() && orphans == Orphans::wait) {
        waits = true;
        return Error{ErrorKind::busy, "its parent session is not imported yet", {}, {}};
      }
      return manifest;
    };
    return request;
  }

  Result<void> read(const SessionFile& file, const canon::TakePiece& take) {
    return harness::stream_session(
        place_.disk, plan_.root, file, [&](std::string_view piece) -> Result<void> {
          if (progress_.cancelled) {
            return Error{ErrorKind::busy, "stopped", {}, {}};
          }
          read_ += piece.size();
          progress_.bytes_done += piece.size();
          return take(piece);
        });
  }

  /// After the files, which are durable by then: a receipt without its session would hide it.
  Result<void> keep_receipt(const SessionFile& file, const capture::CaptureResult& result) {
    const auto token = SessionToken::parse(result.session_token);
    if (result.deed == CaptureDeed::session_removed || !token) {
      return {};
    }
    if (result.deed == CaptureDeed::nothing_said && result.unread_lines() > 0) {
      return {};  // a later version may know how to read it
    }
    const std::lock_guard lock(board_.writing());
    const state::StateDb::Relaxed relaxed(state_);
    return state_.imported().put(
        import_source(plan_.harness, plan_.agent_id, plan_.root, file),
        {file.size,
         file.mtime_ns,
         *token,
         result.deed == CaptureDeed::nothing_said ? state::ImportOutcome::empty
                                                  : state::ImportOutcome::captured});
  }

  const ImportPlace& place_;
  const ImportPlan& plan_;
  Board& board_;
  WorkProgress& progress_;
  CaptureTools tools_;
  state::StateDb state_;
  std::uint64_t read_ = 0;
};

/// More than there are cores: each waits for the disk several times a file, and the disk makes what
/// several wait for durable at once.
std::size_t worker_count(std::size_t families) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t most = std::min(cores * kWorkersPerCore, kMostWorkers);
  return std::clamp<std::size_t>(families, 1, most);
}

Result<std::vector<std::unique_ptr<Worker>>> hire(const ImportPlace& place,
                                                  const ImportPlan& plan,
                                                  Board& board,
                                                  WorkProgress& progress) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t i = 0; i < worker_count(plan.families.size()); ++i) {
    TRY_ASSIGN(CaptureTools tools,
               capture_tools(place.disk, place.folder.workspace(), place.config));
    TRY_ASSIGN(state::StateDb state, state::StateDb::open(place.folder));
    workers.push_back(
        std::make_unique<Worker>(place, plan, board, progress, std::move(tools), std::move(state)));
  }
  return workers;
}

void work_off(const std::vector<std::unique_ptr<Worker>>& workers,
              const std::vector<SessionFamily>& families,
              Orphans orphans,
              const WorkProgress& progress) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](Worker& worker) {
    for (std::size_t at = next++; at < families.size() && !progress.cancelled; at = next++) {
      worker.take(families[at], orphans);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(workers.size(), families.size()); ++i) {
    threads.emplace_back([&work, &worker = *workers[i]] { work(worker); });
  }
  work(*workers.front());
}

}  // namespace

void add_unreadable(const ImportPlan& plan, ImportReport& report) {
  report.failed += plan.unreadable.size();
  report.failures.insert(report.failures.begin(), plan.unreadable.begin(), plan.unreadable.end());
  report.failures.resize(std::min(report.failures.size(), kMostFailuresTold));
}

Result<ImportReport> run_import(const ImportPlace& place,
                                const ImportPlan& plan,
                                WorkProgress& progress) {
  progress.files_total = plan.files;
  ImportReport report;
  if (plan.families.empty()) {
    add_unreadable(plan, report);
    return report;
  }
  TRY_ASSIGN(auto names, capture::VaultNames::list(place.disk, place.folder.workspace()));
  Board board(place, std::move(names));
  TRY_ASSIGN(const auto workers, hire(place, plan, board, progress));
  work_off(workers, plan.families, Orphans::wait, progress);
  // Those whose parent came later; as long as that brings some in, then those that have none.
  for (auto waiting = board.take_waiting(); !waiting.empty() && !progress.cancelled;) {
    const std::size_t before = waiting.size();
    work_off(workers, waiting, Orphans::wait, progress);
    waiting = board.take_waiting();
    if (waiting.size() == before) {
      work_off(workers, waiting, Orphans::are_taken, progress);
      break;
    }
  }
  report = board.take_report();
  add_unreadable(plan, report);
  report.interrupted = progress.cancelled;
  return report;
}

}  // namespace daybook::service
