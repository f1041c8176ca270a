// SPDX-License-Identifier: MIT
//
// Terminal transcripts: text files that a person reads as documentation and the test replays.
//
//   # What this shows.
//   # vault: demo-week            (copied from fixtures/ into the folder the commands start in)
//
//   $ daybook check demo-week
//   22 files, 0.0 MB in 0.01 s: 0 errors, 1 warning, 0 infos.
//   [exit 1]
//
// `$ ` begins a command for sh, `> ` goes on with it; what it prints, stdout and stderr together,
// follows; `[exit N]` ends it where N is not 0. Blank lines between commands and `# ` lines after
// them are prose.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::test {

struct TranscriptStep {
  std::string prose;  ///< blank and comment lines before the command, as written
  std::string command;
  std::string output;  ///< ends with a newline unless empty
  int exit_code = 0;
};

struct Transcript {
  std::vector<std::string> vaults;
  std::vector<TranscriptStep> steps;
};

/// Throws if the text has not that form.
Transcript read_transcript(std::string_view text);

/// The form that read_transcript reads, for writing a changed transcript back.
std::string to_text(const Transcript& transcript);

/// What differs from run to run made the same: durations, the version, and the folders of the test,
/// which become /somewhere and /home/you.
std::string normalised(std::string text, const std::string& work, const std::string& home);

/// The lines of both, marked `-` where only the first has them and `+` where only the second.
std::string difference(std::string_view expected, std::string_view actual);

}  // namespace daybook::test
