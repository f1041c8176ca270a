// SPDX-License-Identifier: MIT
//
// A harness's home folder -> the session files in it, with size and time, sorted by path. People
// move histories to another disk and leave a link: `projects`, `sessions` and the folders directly
// in them may be links, all others are not followed and count as absent. A folder that is not there
// is an empty list. What cannot be read must not look like an empty history: the home itself is an
// Error, a folder in it is told beside the files of the others. Keeps nothing; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/harness/session_file.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

struct SessionFile {
  std::string path;       ///< below the home folder: `projects/-home-nina/…jsonl`
  std::string name;       ///< the file's name without `.jsonl`; Claude Code's session id
  std::string parent_id;  ///< of a sub-agent's file: its session's id, by the folder's name
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

/// Reads an environment variable; nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> process_environment(const char* name);

/// `$CLAUDE_CONFIG_DIR` or `~/.claude`; `$CODEX_HOME` or `~/.codex`. ErrorKind::usage without HOME,
/// or for Format::text.
Result<std::string> home_folder(Format harness,
                                const Environment& environment = process_environment);

/// A folder whose sessions are not known.
struct UnreadableFolder {
  std::string path;  ///< below the root
  std::string reason;
};

/// The folder that paths are relative to, and the files.
struct SessionListing {
  std::string root;  ///< real path, unless a home was named
  std::vector<SessionFile> files;
  std::vector<UnreadableFolder> unreadable;
};

/// `projects/*/<id>.jsonl` and `projects/*/<id>/subagents/*.jsonl`, or
/// `sessions/<year>/<month>/<day>/rollout-*.jsonl`.
Result<SessionListing> list_sessions(base::Disk& disk, Format harness, const std::string& home);

/// The same for whatever a person may name: a harness's home, a folder in it or copied from it
/// (every `*.jsonl` below it, a few folders deep), or one session file. Nothing at that path:
/// ErrorKind::not_found.
Result<SessionListing> list_sessions_at(base::Disk& disk, Format harness, const std::string& path);

/// A listed file's bytes, piece by piece, through the links that were followed to find it.
Result<void> stream_session(base::Disk& disk,
                            const std::string& root,
                            const SessionFile& file,
                            const std::function<Result<void>(std::string_view)>& take);

/// The id that a file's name gives its session; a session file may hold another one.
std::string likely_session_id(Format harness, const SessionFile& file);

/// An agent that Claude Code runs for itself, to compact a context or to suggest a prompt: what it
/// says is no part of anybody's session.
bool is_internal_agent(const SessionFile& file);

/// Whether that name is a session id for certain, whatever the lines say: Claude Code calls a file
/// after its session, and begins one that goes on from another with lines of the other.
bool is_certain_id(Format harness, std::string_view likely_id);

/// Days after which Claude Code deletes a session file that was not written to any more:
/// `cleanupPeriodDays` of `<home>/settings.json`, 30 if it is not said. A file that cannot be
/// understood says nothing.
Result<std::int64_t> cleanup_days(base::Disk& disk, const std::string& home);

/// Whole days until the harness deletes a file; 0 if that is due.
std::int64_t days_left(const SessionFile& file, std::int64_t cleanup_days, std::int64_t now_ms);

}  // namespace daybook::harness
