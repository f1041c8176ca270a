// SPDX-License-Identifier: MIT
#include "daybook/service/spool_drain.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/capture/hook_spool.hpp"
#include "daybook/capture/spool.hpp"

#include <algorithm>
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

/// Whether the snapshot's bytes are the beginning of that transcript.
bool begins_with(const canon::BodySource& transcript,
                 base::Disk& disk,
                 const state::StateFolder& folder,
                 const SpooledHook& snapshot) {
  const auto begins = hash_of_beginning(transcript, snapshot.transcript_bytes);
  return begins &&
         begins == hash_of_beginning(capture::spooled_transcript(
                                         disk, folder, snapshot.name, snapshot.transcript_bytes),
                                     snapshot.transcript_bytes);
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
  /// `snapshots`: those in the spool, which must outlive it.
  Drain(const capture::CapturePlace& place,
        const std::vector<SpooledHook>& snapshots,
        DrainReport& report)
      : place_(place), snapshots_(snapshots), report_(report) {}

  void take(const SpooledHook& hook) {
    if (hook.input.event == HookEvent::post_compact) {
      settle(hook,
             capture::compact_session(place_, {session_of(hook), hook.input.compact_summary}),
             {});
      return;
    }
    const auto source = source_of(place_.disk, hook);
    if (!is_settled(hook, source, place_.now)) {
      ++report_.waiting;
      return;
    }
    end(hook, source, {});
  }

  /// One that a later transcript contains is gone by then, or goes; one whose session has ended
  /// without it, or has not ended for a day, is all that is left of what it says.
  void take_snapshot(const SpooledHook& hook) {
    if (dropped_.contains(hook.name)) {
      return;
    }
    if (is_in_later_snapshot(hook)) {
      drop(hook);
    } else if (place_.now.ms - hook.spooled_at.ms < kSnapshotKeptMs && !has_ended(hook)) {
      ++report_.held;
    } else {
      end(hook, source_of(place_.disk, hook), lineage::RunStatus::interrupted);
    }
  }

 private:
  static bool is_later(const SpooledHook& other, const SpooledHook& snapshot) {
    return other.token() == snapshot.token() && other.spooled_at > snapshot.spooled_at;
  }

  bool has_ended(const SpooledHook& snapshot) const {
    return std::any_of(ended_.begin(), ended_.end(), [&snapshot](const SpooledHook& other) {
      return is_later(other, snapshot);
    });
  }

  bool is_in_later_snapshot(const SpooledHook& snapshot) const {
    return std::any_of(snapshots_.begin(), snapshots_.end(), [&](const SpooledHook& other) {
      return is_later(other, snapshot) && !dropped_.contains(other.name) &&
             begins_with(capture::spooled_transcript(
                             place_.disk, place_.folder, other.name, other.transcript_bytes),
                         place_.disk,
                         place_.folder,
                         snapshot);
    });
  }

  /// Before the hook itself goes: a crash in between must not leave a snapshot that nothing ends.
  void drop_contained(const SpooledHook& hook, const canon::BodySource& transcript) {
    for (const SpooledHook& snapshot : snapshots_) {
      if (is_later(hook, snapshot) && !dropped_.contains(snapshot.name) &&
          begins_with(transcript, place_.disk, place_.folder, snapshot)) {
        drop(snapshot);
      }
    }
  }

  void end(const SpooledHook& hook,
           const std::optional<Source>& source,
           std::optional<lineage::RunStatus> status) {
    capture::SessionEnd request;
    request.session = session_of(hook);
    if (hook.harness == to_string(harness::Format::claude_code)) {
      request.format = harness::Format::claude_code;  // whatever its first lines look like
    }
    request.transcript = transcript_of(place_.disk, place_.folder, hook, source);
    request.status = status;
    settle(hook, capture::end_session(place_, request), request.transcript);
  }

  bool is_there(const SpooledHook& hook) const {
    const auto root = place_.disk.open_root(place_.folder.file(capture::kSpoolFolder));
    return !root || (*root)->stat(hook.name) ||
           (*root)->stat(hook.name).error().kind != ErrorKind::not_found;
  }

  /// `transcript`: what was captured; none of a compaction.
  void settle(const SpooledHook& hook,
              Result<capture::CaptureResult> result,
              const canon::BodySource& transcript) {
    if (!result && !is_there(hook)) {
      return;  // another process has captured it meanwhile
    }
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
        ++report_.empty;
        report_.notices.push_back("what a hook left of " + result->session_token +
                                  " says nothing, and was discarded");
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
    if (transcript && hook.input.event == HookEvent::session_end) {
      ended_.push_back(hook);
      drop_contained(hook, transcript);
    }
    drop(hook);
  }

  void drop(const SpooledHook& hook) {
    dropped_.insert(hook.name);
    if (const auto dropped = capture::drop_spooled(place_.folder, hook.name); !dropped) {
      report_.notices.push_back(dropped.error().in_words());
    }
  }

  const capture::CapturePlace& place_;
  const std::vector<SpooledHook>& snapshots_;
  DrainReport& report_;
  std::vector<SpooledHook> ended_;
  std::set<std::string> dropped_;  // names in the spool
};

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
  Drain drain(place, snapshots, report);
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
      drain.take_snapshot(snapshot);
    }
  }
  for (const std::string& name : damaged) {
    if (skipped.contains(name)) {
      continue;
    }
    ++report.failed;
    report.failed_names.insert(name);
    report.notices.push_back("a file in the spool cannot be understood and was left there: " +
                             name);
  }
  return report;
}

}  // namespace daybook::service
