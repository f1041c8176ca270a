// SPDX-License-Identifier: MIT
//
// Replays tests/cli/transcripts/*.tesh against the built program. After a change that is meant,
//
//   DAYBOOK_REWRITE_TRANSCRIPTS=1 daybook_cli_test '[transcripts]'
//
// writes what the program prints now into them; read the difference before you keep it.
#include "cli/transcript.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

const fs::path kTranscripts = fs::path(DAYBOOK_SOURCE_DIR) / "tests/cli/transcripts";

std::vector<fs::path> all_transcripts() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kTranscripts)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A home and a folder `work` with copies of the vaults.
class Stage {
 public:
  explicit Stage(const std::vector<std::string>& vaults) {
    place_.make_folder("home");
    place_.make_folder("work");
    for (const std::string& vault : vaults) {
      fs::copy(fs::path(DAYBOOK_SOURCE_DIR) / "fixtures" / vault / "vault",
               place_.at("work/" + vault),
               fs::copy_options::recursive);
    }
  }

  /// As it would be seen in a terminal: both streams in one.
  TranscriptStep play(const TranscriptStep& step) const {
    support::Program shell;
    shell.command = {support::find_program("sh"), "-c", "exec 2>&1\n" + step.command};
    shell.folder = place_.at("work");
    shell.environment = {"HOME=" + place_.at("home"),
                         "PATH=" + fs::path(DAYBOOK_BINARY).parent_path().string() +
                             ":/usr/local/bin:/usr/bin:/bin"};
    const support::ProgramOutcome outcome = support::run(shell);
    CHECK(outcome.signal == 0);
    return {step.prose,
            step.command,
            normalised(outcome.out, place_.at("work"), place_.at("home")),
            outcome.exit_code};
  }

 private:
  support::TempFolder place_;
};

void rewrite(const fs::path& file, Transcript transcript, const Stage& stage) {
  for (TranscriptStep& step : transcript.steps) {
    step = stage.play(step);
  }
  std::ofstream(file, std::ios::binary) << to_text(transcript);
}

}  // namespace

TEST_CASE("Every transcript shows what the program prints", "[transcripts]") {
  const bool rewriting = std::getenv("DAYBOOK_REWRITE_TRANSCRIPTS") != nullptr;
  for (const fs::path& file : all_transcripts()) {
    INFO(file.string());
    const Transcript transcript = read_transcript(bytes_of(file));
    CHECK_FALSE(transcript.steps.empty());
    const Stage stage(transcript.vaults);
    if (rewriting) {
      rewrite(file, transcript, stage);
      continue;
    }
    for (const TranscriptStep& step : transcript.steps) {
      const TranscriptStep played = stage.play(step);
      const std::string expected = normalised(step.output, "/somewhere", "/home/you");
      INFO("$ " << step.command << "\n" << difference(expected, played.output));
      const bool as_shown = played.output == expected;
      CHECK(as_shown);
      CHECK(played.exit_code == step.exit_code);
    }
  }
}

TEST_CASE("A transcript is read as it is written, and a difference names the lines") {
  const std::string text =
      "# Prose.\n# vault: demo-week\n\n$ one\n> more of it\nanswer\n\n# More prose.\n$ two\n"
      "# not prose: it follows no blank line\n\nend\n[exit 3]\n\n$ three\n";
  const Transcript transcript = read_transcript(text);
  REQUIRE(transcript.steps.size() == 3);
  CHECK(transcript.vaults == std::vector<std::string>{"demo-week"});
  CHECK(transcript.steps[0].command == "one\nmore of it");
  CHECK(transcript.steps[0].output == "answer\n");
  CHECK(transcript.steps[1].output == "# not prose: it follows no blank line\n\nend\n");
  CHECK(transcript.steps[1].exit_code == 3);
  CHECK(transcript.steps[2].output.empty());
  CHECK(to_text(transcript) == text);
  CHECK(difference("a\nb\nc\n", "a\nc\nd\n") == "    a\n  - b\n    c\n  + d\n");
  CHECK_THROWS(read_transcript("neither prose nor command\n"));
}

}  // namespace daybook::test
