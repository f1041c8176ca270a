// SPDX-License-Identifier: MIT
//
// Seed -> the session files that two harnesses would have left on disk, the same on every machine:
// every type of line, broken and unknown ones, huge results, sub-agents, and hostile text wherever
// text can be. Files are written below the given folder, which must be the caller's own. Throws
// std::runtime_error if one cannot be written. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace daybook::support {

struct HistoryPlan {
  std::uint64_t seed = 1;
  std::size_t files = 100;           ///< of both harnesses, sub-agents included
  std::size_t turns = 6;             ///< of a session, at most
  std::size_t result_bytes = 600;    ///< of an ordinary tool result, about
  std::size_t huge_every = 50;       ///< each such file has a huge result; 0: none
  std::size_t huge_bytes = 2000000;  ///< of a huge one
  bool hostile = true;               ///< ids, folders and messages that try to be markup or paths
};

struct MadeSession {
  std::string path;  ///< below the folder: `claude/projects/…`, `codex/sessions/…`
  std::string harness;
  std::string session_id;  ///< as a reader must find it
  std::string parent_session_id;
  std::string project;
  std::string request;
  std::uint64_t lines = 0;
  std::uint64_t broken_lines = 0;
  std::uint64_t unknown_lines = 0;
  std::uint64_t tool_calls = 0;
  std::uint64_t bytes = 0;
};

/// `<folder>/claude` is a home of Claude Code, `<folder>/codex` one of Codex.
std::vector<MadeSession> make_history(const std::string& folder, const HistoryPlan& plan);

/// One session file of Claude Code in memory, of at least that many bytes, most of them in results.
std::string made_claude_session(std::uint64_t seed, std::size_t bytes, std::size_t result_bytes);
/// The same of Codex.
std::string made_codex_session(std::uint64_t seed, std::size_t bytes, std::size_t result_bytes);

/// As a JSON string, quotes included. For tests that write lines of their own.
std::string json_quoted(const std::string& text);

}  // namespace daybook::support
