// SPDX-License-Identifier: MIT
#include "daybook/service/spool_drain.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/capture/hook_spool.hpp"
#include "daybook/capture/spool.hpp"

#include <filesystem>
#include <optional>
#include <utility>

namespace daybook::service {
namespace {

using capture::SpooledHook;
using harness::HookEvent;

constexpr std::int64_t kSettleMs = 2'000;
constexpr std::int64_t kLongestWaitMs = 60'000;
constexpr std::int64_t kSnapshotKeptMs = 24LL * 60 * 60 * 1000;
constexpr std::int64_t kNsPerMs = 1'000'000;

/// The harness's own file, if it is still there and regular.
struct Source {
  std::string folder;
  std::string name;
  base::FileStat stat;
};

std::optional<Source> source_of(base::Disk& disk, const SpooledHook& hook) {
  if (hook.input.transcript_path.empty()) {
    return std::nullopt;
  }
  const std::filesystem::path path(hook.input.transcript_path);
  Source source{path.parent_path().string(), path.filename().string(), {}};
  const auto root = disk.open_root(source.folder);
  if (!path.is_absolute() || !root) {
    return std::nullopt;
  }
  const auto stat = (*root)->stat(source.name);
  if (!stat || stat->type != base::EntryType::file) {
    return std::nullopt;
  }
  source.stat = *stat;
  return source;
}

bool is_settled(const SpooledHook& hook,
                const std::optional<Source>& source,
                lineage::Timestamp now) {
  if (!source || now.ms - hook.spooled_at.ms >= kLongestWaitMs || now < hook.spooled_at) {
    return true;
  }
  // By the hook's time as well: clocks of file systems differ.
  return now.ms - source->stat.mtime_ns / kNsPerMs >= kSettleMs &&
         now.ms - hook.spooled_at.ms >= kSettleMs;
}

/// SHA-256 of the first bytes of a file; nothing when it is shorter.
std::optional<base::Digest> hash_of_beginning(const canon::BodySource& file, std::uint64_t bytes) {
  base::Sha256 hash;
  std::uint64_t left = bytes;
  const auto read = file([&](std::string_view piece) -> Result<void> {
    const std::string_view part = piece.substr(0, left);
    hash.update(part);
    left -= part.size();
    return {};
  });
  return read && left == 0 ? std::optional(hash.finish()) : std::nullopt;
}

/// What the spool holds, or the harness's file where it goes on from there.
canon::BodySource transcript_of(base::Disk& disk,
                                const state::StateFolder& folder,
                                const SpooledHook& hook,
                                const std::optional<Source>& source) {
  canon::BodySource spooled =
      capture::spooled_transcript(disk, folder, hook.name, hook.transcript_bytes);
  if (!source || source->stat.size <= hook.transcript_bytes) {
    return spooled;
  }
  canon::BodySource grown = [&disk, at = *source](const canon::TakePiece& take) {
    return base::stream_file(disk, at.folder, at.name, take);
  };
  const auto begins = hash_of_beginning(grown, hook.transcript_bytes);
  return begins && begins == hash_of_beginning(spooled, hook.transcript_bytes) ? grown : spooled;
}

capture::CapturedSession session_of(const SpooledHook& hook) {
  capture::CapturedSession session;
  session.agent_id = hook.agent_id;
  session.session_id = hook.input.session_id;
  session.project = hook.input.cwd;
  session.harness = hook.harness;
  session.captured_at = hook.spooled_at;
  return session;
}

class Drain {
 public:
  Drain(const capture::CapturePlace& place, DrainReport& report) : place_(place), report_(report) {}

  void take(const SpooledHook& hook) {
    if (hook.input.event == HookEvent::post_compact) {
      settle(hook,
             capture::compact_session(place_, {session_of(hook), hook.input.compact_summary}));
      return;
    }
    const auto source = source_of(place_.disk, hook);
    if (!is_settled(hook, source, place_.now)) {
      ++report_.waiting;
      return;
    }
    end(hook, source, {});
  }

  /// `is_over`: something later came in of its session.
  void take_snapshot(const SpooledHook& hook, bool is_over) {
    if (is_over) {
      drop(hook);
    } else if (place_.now.ms - hook.spooled_at.ms < kSnapshotKeptMs) {
      ++report_.held;
    } else {
      end(hook, source_of(place_.disk, hook), lineage::RunStatus::interrupted);
    }
  }

  const std::vector<SpooledHook>& done() const { return done_; }

 private:
  void end(const SpooledHook& hook,
           const std::optional<Source>& source,
           std::optional<lineage::RunStatus> status) {
    capture::SessionEnd request;
    request.session = session_of(hook);
    request.transcript = transcript_of(place_.disk, place_.folder, hook, source);
    request.status = status;
    settle(hook, capture::end_session(place_, request));
  }

  void settle(const SpooledHook& hook, Result<capture::CaptureResult> result) {
    if (!result) {
      ++report_.failed;
      report_.failed_names.insert(hook.name);
      report_.notices.push_back("what a hook left could not be captured yet, and stays: " +
                                result.error().in_words());
      return;
    }
    switch (result->deed) {
      case capture::CaptureDeed::captured:
        ++report_.captured;
        break;
      case capture::CaptureDeed::already_captured:
        ++report_.already_captured;
        break;
      case capture::CaptureDeed::nothing_said:
        if (result->unread_lines() > 0) {
          ++report_.failed;
          report_.failed_names.insert(hook.name);
          report_.notices.push_back(
              "what a hook left has " + std::to_string(result->unread_lines()) +
              " lines that cannot be read, and nothing else; it stays: " + hook.name);
          return;
        }
        break;
      case capture::CaptureDeed::session_removed:
        ++report_.removed;
        report_.notices.push_back("session-removed: what a hook left of " + result->session_token +
                                  " was discarded");
        break;
    }
    for (std::string& path : result->paths()) {
      report_.paths.push_back(std::move(path));
    }
    done_.push_back(hook);
    drop(hook);
  }

  void drop(const SpooledHook& hook) {
    if (const auto dropped = capture::drop_spooled(place_.folder, hook.name); !dropped) {
      report_.notices.push_back(dropped.error().in_words());
    }
  }

  const capture::CapturePlace& place_;
  DrainReport& report_;
  std::vector<SpooledHook> done_;
};

/// Whether its session has ended since, or left a newer snapshot.
bool is_over(const SpooledHook& snapshot,
             const std::vector<SpooledHook>& done,
             const std::vector<SpooledHook>& snapshots) {
  const auto later = [&snapshot](const SpooledHook& other) {
    return other.token() == snapshot.token() && other.spooled_at > snapshot.spooled_at;
  };
  // What a compaction leaves is no transcript.
  const auto ended = [&later](const SpooledHook& other) {
    return other.input.event == HookEvent::session_end && later(other);
  };
  return std::any_of(done.begin(), done.end(), ended) ||
         std::any_of(snapshots.begin(), snapshots.end(), later);
}

}  // namespace

Result<DrainReport> drain_spool(const capture::CapturePlace& place,
                                const std::atomic<bool>& cancelled,
                                const std::set<std::string>& skipped) {
  DrainReport report;
  std::vector<std::string> damaged;
  TRY_ASSIGN(const auto hooks,
             capture::spooled_hooks(place.disk, place.folder, capture::kHookSuffix, damaged));
  TRY_ASSIGN(const auto snapshots,
             capture::spooled_hooks(place.disk, place.folder, capture::kSnapshotSuffix, damaged));
  Drain drain(place, report);
  for (const SpooledHook& hook : hooks) {
    if (cancelled) {
      return report;
    }
    if (!skipped.contains(hook.name)) {
      drain.take(hook);
    }
  }
  for (const SpooledHook& snapshot : snapshots) {
    if (cancelled) {
      return report;
    }
    if (!skipped.contains(snapshot.name)) {
      drain.take_snapshot(snapshot, is_over(snapshot, drain.done(), snapshots));
    }
  }
  report.failed += damaged.size();
  for (const std::string& name : damaged) {
    report.notices.push_back("a file in the spool cannot be understood and was left there: " +
                             name);
  }
  return report;
}

}  // namespace daybook::service
