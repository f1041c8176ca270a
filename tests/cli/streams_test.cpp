// SPDX-License-Identifier: MIT
//
// What reaches a terminal or a pipe: colours only where they are wanted, nothing of a note's own
// control characters, the answer on stdout and the talk on stderr, and no answer that was lost
// without a word.
#include "cli/daybook_program.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <regex>

namespace daybook::test {
namespace {

using support::Program;
using support::run;
using support::SessionFiles;
using support::TempFolder;

const std::string kFixtures = std::string(DAYBOOK_SOURCE_DIR) + "/fixtures/";
const std::string kVaultWithWarning = kFixtures + "demo-week/vault";
const std::string kTime = "2026-03-28T22:34:06.792Z";

// A title, a cleared screen, a bell, a delete; then CSI as one character of 8 bits; then text that
// runs backwards, an isolate and a zero-width joiner.
const std::string kControls =
    "\x1b]0;owned\x07\x1b[2J\x7f\xc2\x9b"
    "31m\xe2\x80\xaetxt\xe2\x81\xa6\xe2\x80\x8d";

/// The first thing in the text that a terminal would act on, or an empty string.
std::string raw_control_in(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
    const std::string_view three = std::string_view(text).substr(at, 3);
    const bool is_c0 = (byte < 0x20 && byte != '\n') || byte == 0x7F;
    const bool is_c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    const bool misleads = (three >= "\xe2\x80\x8b" && three <= "\xe2\x80\x8f") ||
                          (three >= "\xe2\x80\xa8" && three <= "\xe2\x80\xae") ||
                          (three >= "\xe2\x81\xa0" && three <= "\xe2\x81\xaf");
    if (is_c0 || is_c1 || misleads) {
      char shown[8];
      std::snprintf(shown, sizeof shown, "0x%02x", byte);
      return std::string(shown) + " at " + std::to_string(at) + ", after " +
             text.substr(at < 60 ? 0 : at - 60, at < 60 ? at : 60);
    }
  }
  return {};
}

std::string without_colors(const std::string& text) {
  static const std::regex sgr("\x1b\\[[0-9;]*m");
  return std::regex_replace(text, sgr, "");
}

/// The same as YAML that holds no control character itself, with something before and after.
std::string yaml_of_controls(const std::string& before = "", const std::string& after = "") {
  return "\"" + before + R"(\u001b]0;owned\u0007\u001b[2J\u007f\u009b31m\u202etxt\u2066\u200d)" +
         after + "\"";
}

/// Control characters in every place from which text reaches a message or a path.
void write_hostile_texts(const TempFolder& vault) {
  SessionFiles session("default", "key-1", kTime);
  session.summary.fields.set("captured_at", yaml_of_controls());
  session.summary.fields.set("manifest_path", yaml_of_controls("memory/", ".md"));
  session.summary.body = "[[memory/" + kControls + ".md]] and [[" + kControls + "]] here.\n";
  session.transcript.fields.set("kind", yaml_of_controls());
  session.manifest.fields.set("summary_path", yaml_of_controls("../"));
  session.write(vault);
  SessionFiles twice("default", "key-2", kTime);
  twice.summary.extra_frontmatter = yaml_of_controls() + ": 1\n" + yaml_of_controls() + ": 2\n";
  twice.write(vault);
  SessionFiles removed("default", "key-3", kTime);
  removed.tombstone.present = true;
  removed.summary.present = removed.transcript.present = removed.manifest.present = false;
  removed.tombstone.fields.set("session_token", yaml_of_controls());
  removed.write(vault);
  vault.write("memory/" + kControls + "\n.md", "---\nkind: summary\n---\n");
  vault.write("memory/" + kControls + "/x.md", "---\nkind: summary\n---\n");
}

}  // namespace

TEST_CASE("Control characters of a note reach no output raw, in whatever form") {
  const TempFolder vault;
  write_hostile_texts(vault);
  for (const char* format : {"human", "json", "gcc", "sarif"}) {
    const auto outcome = run_daybook({"check", "--format", format, vault.path().string()});
    INFO(format << ": " << raw_control_in(outcome.out));
    CHECK(outcome.exit_code == 1);
    for (const char* code : {"bad-timestamp",
                             "link-missing-target",
                             "unknown-kind",
                             "duplicate-key",
                             "link-escapes-workspace",
                             "token-mismatch",
                             "name-mismatch"}) {
      INFO(code);
      CHECK(outcome.out.find(code) != std::string::npos);
    }
    CHECK(outcome.out.find("owned") != std::string::npos);  // told, but harmless
    CHECK(raw_control_in(outcome.out).empty());
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("Colours are the only control sequences in a coloured answer") {
  const TempFolder vault;
  write_hostile_texts(vault);
  const auto outcome = run_daybook({"--color", "always", "check", vault.path().string()});
  CHECK(outcome.out.find("\x1b[31m") != std::string::npos);
  CHECK(raw_control_in(without_colors(outcome.out)).empty());
}

TEST_CASE("Control characters in arguments, paths and settings are harmless in errors, too") {
  const TempFolder place;
  place.write(kControls + "/daybook.yaml", yaml_of_controls() + ": 1\n");
  SessionFiles("default", "key-1", kTime).write(place, kControls);
  const std::vector<std::vector<std::string>> commands{
      {kControls},
      {"check", "--" + kControls},
      {"check", "--format", kControls},
      {"check", place.at("gone" + kControls)},
      {"check", place.at(kControls)},  // the setting
      {"--workspace", place.at("gone" + kControls), "check"},
      {"--now", kControls, "check"},
      {"init", "--dry-run", place.at(kControls)},
      {"completion", kControls}};
  for (const auto& command : commands) {
    for (const bool as_json : {false, true}) {
      Program program = daybook(command);
      if (as_json) {
        program.command.emplace_back("--json");
      }
      const auto outcome = run(program);
      INFO(command.front() << (as_json ? " --json" : "") << "\nstdout: " << outcome.out
                           << "\nstderr: " << outcome.err);
      CHECK(raw_control_in(outcome.out).empty());
      CHECK(raw_control_in(outcome.err).empty());
      CHECK(outcome.signal == 0);
    }
  }
}

TEST_CASE("There is colour on a terminal, and none in a pipe or where NO_COLOR is set") {
  Program program = daybook({"check", kVaultWithWarning});
  CHECK(run(program).out.find('\x1b') == std::string::npos);
  program.on_terminal = true;
  program.environment = {"TERM=xterm"};
  const auto colored = run(program);
  CHECK(colored.exit_code == 1);
  CHECK(colored.out.find("\x1b[33mwarning") != std::string::npos);
  program.environment = {"TERM=xterm", "NO_COLOR=1"};
  CHECK(run(program).out.find('\x1b') == std::string::npos);
  program.environment = {"TERM=xterm", "NO_COLOR="};  // empty counts as not set
  CHECK(run(program).out.find('\x1b') != std::string::npos);
}

TEST_CASE("The colours that were asked for are stronger than terminal and NO_COLOR") {
  Program always = daybook({"--color", "always", "check", kVaultWithWarning});
  CHECK(run(always).out.find("\x1b[33mwarning") != std::string::npos);
  always.environment = {"NO_COLOR=1"};
  CHECK(run(always).out.find("\x1b[33mwarning") != std::string::npos);
  Program never = daybook({"check", "--color", "never", kVaultWithWarning});
  never.on_terminal = true;
  never.environment = {"TERM=xterm"};
  CHECK(run(never).out.find('\x1b') == std::string::npos);
}

TEST_CASE("Colour stays out of the forms that programs read") {
  for (const char* format : {"json", "gcc", "sarif"}) {
    const auto outcome =
        run_daybook({"--color", "always", "check", "--format", format, kVaultWithWarning});
    INFO(format);
    CHECK(outcome.out.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("stdout is only the answer: errors and logs are talk on stderr") {
  const auto failed = run_daybook({"check", "/nonexistent/vault"});
  CHECK(failed.exit_code == 2);
  CHECK(failed.out.empty());
  CHECK(failed.err.starts_with("daybook: error: /nonexistent/vault: "));

  const auto verbose = run_daybook({"--verbose", "check", "--json", kVaultWithWarning});
  CHECK(verbose.out.starts_with("{"));
  CHECK(verbose.out.ends_with("}\n"));
  CHECK_FALSE(verbose.err.empty());
  CHECK(verbose.err.find("harbour-stations") == std::string::npos);  // never text of a note

  const auto quiet = run_daybook({"--quiet", "check", kVaultWithWarning});
  CHECK(quiet.err.empty());
  CHECK(quiet.exit_code == 1);
}

TEST_CASE("An answer that a full disk did not take is an I/O failure, in every form") {
  const std::vector<std::vector<std::string>> commands{
      {"check", kVaultWithWarning},
      {"check", "--json", kVaultWithWarning},
      {"check", "--format", "gcc", kVaultWithWarning},
      {"check", "--format", "sarif", kVaultWithWarning},
      {"--json", "check", "/nonexistent/vault"},
      {"completion", "bash"},
      {"--version"},
      {"--help"}};
  for (const auto& command : commands) {
    Program program = daybook(command);
    program.stdout_file = "/dev/full";
    const auto outcome = run(program);
    INFO(command.front() << " " << outcome.err);
    CHECK(outcome.exit_code == 5);
    CHECK_FALSE(outcome.err.empty());  // every error says what failed
  }
}

TEST_CASE("A closed stdout is an I/O failure, and no file is written to in its place") {
  const TempFolder place;
  for (const std::string& command : {"check " + kVaultWithWarning, std::string("init new")}) {
    Program shell;
    shell.command = {
        support::find_program("sh"), "-c", "exec \"$0\" " + command + " >&-", DAYBOOK_BINARY};
    shell.folder = place.path();
    const auto outcome = run(shell);
    INFO(command << ": " << outcome.err);
    CHECK(outcome.exit_code == 5);
  }
  CHECK(place.read("new/.gitignore").find("created") == std::string::npos);
}

TEST_CASE("A reader that goes away early is no crash") {
  const TempFolder vault;
  SessionFiles session("default", "key-1", kTime);
  session.manifest.frontmatter = "kind: manifest\n";
  for (int i = 0; i < 200; ++i) {  // more than a pipe holds
    session.manifest.folder = "memory/" + std::to_string(i) + std::string(200, 'x');
    session.write(vault);
  }
  for (const char* format : {"human", "json", "gcc", "sarif"}) {
    Program shell;
    shell.command = {support::find_program("bash"),
                     "-c",
                     "\"$0\" check --format $1 \"$2\" | head -1; echo ${PIPESTATUS[0]}",
                     DAYBOOK_BINARY,
                     format,
                     vault.path().string()};
    const auto outcome = run(shell);
    INFO(format << ": " << outcome.out << outcome.err);
    CHECK(outcome.err.empty());
    const bool by_signal = outcome.out.ends_with("\n" + std::to_string(128 + SIGPIPE) + "\n");
    CHECK((by_signal || outcome.out.ends_with("\n5\n")));
  }
}

}  // namespace daybook::test
