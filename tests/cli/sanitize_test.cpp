// SPDX-License-Identifier: MIT
//
// sanitize: text from stdin to stdout, findings on stderr, exit codes, no workspace, little memory.
#include "cli/daybook_program.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

namespace daybook::test {
namespace {

using support::TempFolder;

const std::string kText = "one\nDB_PASSWORD=hunter2\nmail bob@example.com, says Project Heron\n";

/// `daybook ARGUMENTS < FILE`
support::ProgramOutcome run_on(const TempFolder& folder,
                               const std::string& file,
                               const std::string& arguments) {
  support::Program program;
  program.command = {"/bin/sh",
                     "-c",
                     "exec '" + std::string(DAYBOOK_BINARY) + "' " + arguments + " < '" +
                         (folder.path() / file).string() + "'"};
  program.folder = folder.path().string();
  return support::run(program);
}

support::ProgramOutcome run_on_text(const std::string& arguments) {
  const TempFolder folder;
  folder.write("in.txt", kText);
  folder.write("literals.txt", "# ours\nProject Heron\n");
  folder.write("short.txt", "abc\n");
  return run_on(folder, "in.txt", arguments);
}

}  // namespace

TEST_CASE("sanitize writes the text to stdout and what it found to stderr") {
  const auto outcome = run_on_text("sanitize");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "one\nDB_PASSWORD=<redacted>\nmail <redacted:email>, says Project Heron\n");
  CHECK(outcome.err ==
        "line 2: password\nline 3: email\n1 secret and 1 piece of personal data found.\n");
}

TEST_CASE("sanitize keeps personal data if told so, and takes literals from a file") {
  CHECK(run_on_text("sanitize --keep-pii").out ==
        "one\nDB_PASSWORD=<redacted>\nmail bob@example.com, says Project Heron\n");
  CHECK(run_on_text("sanitize --literals literals.txt").out ==
        "one\nDB_PASSWORD=<redacted>\nmail <redacted:email>, says <redacted>\n");
}

TEST_CASE("sanitize writes nothing if its literals cannot be used") {
  for (const std::string file : {"missing.txt", "short.txt"}) {
    const auto outcome = run_on_text("sanitize --literals " + file);
    INFO(file);
    CHECK(outcome.exit_code != 0);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find(file) != std::string::npos);
  }
}

TEST_CASE("sanitize --check writes no text, and its exit code says whether it found something") {
  const auto found = run_on_text("sanitize --check");
  CHECK(found.exit_code == 1);
  CHECK(found.out.empty());
  CHECK(found.err.find("line 2: password") != std::string::npos);
  const TempFolder folder;
  folder.write("clean.txt", "Nothing here.\n");
  CHECK(run_on(folder, "clean.txt", "sanitize --check").exit_code == 0);
}

TEST_CASE("sanitize --json reports as one object on stderr") {
  const auto outcome = run_on_text("--json sanitize");
  CHECK(outcome.out.starts_with("one\n"));
  const auto report = nlohmann::json::parse(outcome.err);
  CHECK(report.at("sanitizer_version") == "sanitize_transcript_v1");
  CHECK(report.at("secrets") == 1);
  CHECK(report.at("by_shape").at("email") == 1);
  CHECK(report.at("findings").at(0).at("line") == 2);
}

TEST_CASE("sanitize says so when its text cannot be written") {
  const TempFolder folder;
  folder.write("in.txt", kText);
  support::Program program;
  program.command = {"/bin/sh",
                     "-c",
                     "exec '" + std::string(DAYBOOK_BINARY) + "' sanitize < '" +
                         (folder.path() / "in.txt").string() + "'"};
  program.stdout_file = "/dev/full";
  const auto outcome = support::run(program);
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.err.find("could not be written") != std::string::npos);
}

TEST_CASE("sanitize takes a large text in little memory") {
  const TempFolder folder;
  std::ofstream file(folder.path() / "large.txt");
  for (int i = 0; i < 400'000; ++i) {
    file << "{\"n\": " << i
         << ", \"text\": \"nothing to see here, move along\", \"of\": \"one endless line\"}, ";
  }
  file.close();
  support::Program program;
  program.command = {"/bin/sh",
                     "-c",
                     "exec '" + std::string(DAYBOOK_BINARY) + "' sanitize < '" +
                         (folder.path() / "large.txt").string() + "'"};
  program.stdout_file = "/dev/null";
  const auto outcome = support::run(program);
  CHECK(outcome.exit_code == 0);
  if (!support::is_sanitized()) {
    CHECK(outcome.peak_kb < 64 * 1024);
  }
}

}  // namespace daybook::test
