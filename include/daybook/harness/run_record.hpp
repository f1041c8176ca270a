// SPDX-License-Identifier: MIT
//
// How a session ended, and a few words of what was asked and answered -> the previews, markers and
// summary that are kept of it, and a summary in markdown for when nobody wrote a better one. Texts
// must have been sanitised before: they are cut here, and a secret cut in two could not be found
// any more. Counted in Unicode characters. Pure; any thread; cannot fail.
#pragma once

#include "daybook/harness/session_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

enum class RunStatus : std::uint8_t { completed, failed, interrupted, cancelled };

/// "completed", …
std::string_view to_string(RunStatus status);
std::optional<RunStatus> run_status(std::string_view word);

/// What the file's end says: failed if an error has the last word, else interrupted or completed.
RunStatus status_of(const SessionOutline& outline);

inline constexpr std::size_t kPreviewCharacters = 160;
inline constexpr std::size_t kSummaryCharacters = 480;

struct RunRecord {
  std::string status;
  std::string request_preview;               ///< empty if nothing was asked
  std::string outcome_preview;               ///< empty if nothing was answered
  std::vector<std::string> failure_markers;  ///< the status unless completed, then `error: …`
  std::string summary;  ///< `Request: …`, `Result: …`, status or error: a line each
};

/// All texts sanitised. Each becomes one line, because a line of the record is one statement.
RunRecord run_record(RunStatus status,
                     std::string_view request,
                     std::string_view outcome,
                     std::string_view error);

/// The first `most` characters of the trimmed text, and one ellipsis character if it was cut.
std::string preview(std::string_view text, std::size_t most);

struct SummaryFacts {
  RunStatus status = RunStatus::completed;
  std::string_view request;
  std::string_view outcome;
  std::string_view error;
  const std::vector<std::string>* touched = nullptr;  ///< may be null
  std::uint64_t turns = 0;
  std::uint64_t tool_calls = 0;
};

/// A summary's body: what was asked, what was touched, the last outcome, how it failed. Text from
/// outside stands in block quotes and code spans without markup of its own: it makes no heading, no
/// fence, no link and no wikilink. At most some 8 KiB.
std::string extractive_summary(const SummaryFacts& facts);

}  // namespace daybook::harness
