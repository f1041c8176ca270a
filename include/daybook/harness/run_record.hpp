// SPDX-License-Identifier: MIT
//
// How a session ended, and a few words of what was asked and answered -> the previews, markers and
// summary that are kept of it, and a summary in markdown for when nobody wrote a better one. Texts
// must have been sanitised before: they are cut here, and a secret cut in two could not be found
// any more. Counted in Unicode characters. Pure; any thread; cannot fail.
#pragma once

#include "daybook/harness/session_file.hpp"
#include "daybook/lineage/artifact.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

using lineage::RunRecord;
using lineage::RunStatus;

/// What the file's end says: failed if an error has the last word, else interrupted or completed.
RunStatus status_of(const SessionOutline& outline);

inline constexpr std::size_t kPreviewCharacters = 160;
inline constexpr std::size_t kSummaryCharacters = 480;

/// The markers are the status unless it is completed, then `error: …`; the summary has a line each
/// for `Request: …`, `Result: …`, status or error. All texts sanitised. Each becomes one line,
/// because a line of the record is one statement.
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
  std::string_view title = {};  ///< may be empty
};

/// A summary's body: its title as a heading, what was asked, what was touched, the last outcome,
/// how it failed. Text from outside stands in block quotes and code spans without markup of its
/// own: it makes no heading, no fence, no link and no wikilink. At most some 8 KiB.
std::string extractive_summary(const SummaryFacts& facts);

}  // namespace daybook::harness
