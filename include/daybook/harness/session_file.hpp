// SPDX-License-Identifier: MIT
//
// A session file of a coding agent's harness, in pieces cut anywhere -> readable markdown, and an
// outline of what the session says of itself. Claude Code and Codex write one JSON object a line in
// formats that they call unstable: an unknown type, a broken line or a line above 16 MiB is counted
// and passed over, never an error. Memory does not grow with the file. The same bytes give the same
// markdown, however they were cut. A renderer belongs to one thread, does no I/O and cannot fail.
//
// The markdown. Every turn has a heading of level two, `## User · 2026-03-28 22:34:06` (UTC), and
// everything that was said stands in a block quote below it: each line begins with `>`, and any
// character that some reader takes for a line's end begins a new one. So no text can be mistaken
// for a heading of ours, and a fence, HTML or comment that a message leaves open ends with its
// quote; an open fence is closed there by hand, too, and `%%`, which Obsidian lets reach beyond it,
// is written with a look-alike. What the harness puts in front of a person's words is cut off, and
// what a person answered to a tool's question or told it when refusing is a turn. A tool's call and
// result are one list item: name, main argument in a code span, sizes, `failed`. Thinking is left
// out. Links in quotes stay: a transcript is quoted speech. Valid UTF-8 always: what is not becomes
// U+FFFD.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

enum class Format : std::uint8_t { text, claude_code, codex };

/// How much of a file recognise() may want to see; more does not matter.
inline constexpr std::size_t kRecognisedBytes = std::size_t{64} * 1024;

/// Of a file's first bytes, cut anywhere. Text when it is neither of the others.
Format recognise(std::string_view beginning);

/// "claude-code", "codex"; empty for text.
std::string_view to_string(Format format);

inline constexpr std::size_t kOutlineTextBytes = std::size_t{16} * 1024;  ///< request, outcome, …
inline constexpr std::size_t kOutlineNameBytes = 4096;                    ///< ids, paths, names
inline constexpr std::size_t kMostTouched = 200;
inline constexpr std::size_t kMostLineBytes = std::size_t{16} * 1024 * 1024;

/// All text is from outside: valid UTF-8, cut at the bounds above, otherwise as it was found.
struct SessionOutline {
  std::string session_id;  ///< a sub-agent's is `<parent>:agent-<its id>`
  std::string project;     ///< the working folder, as the session began
  std::string harness;     ///< "claude-code", "codex", or empty
  std::string model;       ///< the newest
  std::string git_branch;
  std::string parent_session_id;  ///< of a sub-agent, or of a fork
  std::string title;

  std::optional<lineage::Timestamp> started_at;  ///< the earliest time in the file
  std::optional<lineage::Timestamp> ended_at;    ///< the latest

  std::string request;               ///< the first text that a person wrote
  std::string last_outcome;          ///< the newest non-empty answer
  std::vector<std::string> touched;  ///< files written, words of commands; in order of first touch
  std::string compact_summary;       ///< the newest, if there is one

  std::uint64_t turns = 0;  ///< headings `User` and `Assistant`
  std::uint64_t tool_calls = 0;
  std::uint64_t failed_tool_calls = 0;
  std::uint64_t thinking_blocks = 0;
  std::uint64_t lines = 0;           ///< all that are not blank
  std::uint64_t unknown_lines = 0;   ///< JSON of a type that is not known
  std::uint64_t broken_lines = 0;    ///< no JSON object, cut off, or nested too deeply
  std::uint64_t skipped_lines = 0;   ///< known, and nothing to show: settings, snapshots, progress
  std::uint64_t huge_lines = 0;      ///< above kMostLineBytes
  std::uint64_t replaced_bytes = 0;  ///< that were no UTF-8, each now U+FFFD

  /// How the file ends: an interruption or an error of the service that no answer followed.
  bool interrupted = false;
  std::string error;
};

/// Takes out of a text what must not be stored. Most text is cleaned by whoever takes it; what is
/// cut here has to be cleaned before, because half of a secret is not recognised.
using CleanText = std::function<std::string(std::string_view)>;

class TranscriptRenderer {
 public:
  explicit TranscriptRenderer(Format format, CleanText clean = {});
  TranscriptRenderer(TranscriptRenderer&&) noexcept;
  TranscriptRenderer& operator=(TranscriptRenderer&&) noexcept;
  ~TranscriptRenderer();

  /// Appends to `out` what is complete.
  void feed(std::string_view piece, std::string& out);
  /// The rest: a last line without its end, calls without a result. Nothing may be fed afterwards.
  void finish(std::string& out);

  /// Complete after finish().
  const SessionOutline& outline() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daybook::harness
