// SPDX-License-Identifier: MIT
//
// `daybook check` reads and nothing else; what it may not read it names; and it can be stopped at
// any moment.
#include "cli/daybook_program.hpp"
#include "support/check_answer.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using Codes = std::vector<std::string>;
using support::Program;
using support::ProgramOutcome;
using support::run;
using support::SessionFiles;
using support::TempFolder;

const std::string kTime = "2026-03-28T22:34:06.792Z";
const std::string kLaterTime = "2026-03-29T08:00:00.000Z";

/// Everything below a folder that a program could have changed. Access times are not of it.
std::map<std::string, std::string> snapshot_of(const TempFolder& place) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(place.path())) {
    struct stat raw {};
    REQUIRE(::lstat(entry.path().c_str(), &raw) == 0);
    const std::string name = entry.path().lexically_relative(place.path()).string();
    std::string& state = tree[name];
    state = std::to_string(raw.st_ino) + " " + std::to_string(raw.st_mode) + " " +
            std::to_string(raw.st_mtim.tv_sec) + "." + std::to_string(raw.st_mtim.tv_nsec) + " " +
            std::to_string(raw.st_ctim.tv_sec) + "." + std::to_string(raw.st_ctim.tv_nsec) + "\n";
    state += entry.is_regular_file() && !entry.is_symlink() ? place.read(name) : "";
  }
  return tree;
}

Program check_of(const std::string& vault) { return daybook({"check", "--json", vault}); }

support::CheckAnswer answer_in(const ProgramOutcome& outcome) {
  INFO(outcome.out << outcome.err);
  REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 1));
  return support::read_check_answer(outcome.out);
}

void set_mode(const TempFolder& place, const std::string& name, mode_t mode) {
  REQUIRE(::chmod(place.at(name).c_str(), mode) == 0);
}

void take_write_permission(const TempFolder& place) {
  for (const auto& entry : fs::recursive_directory_iterator(place.path())) {
    fs::permissions(entry.path(),
                    fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write,
                    fs::perm_options::remove);
  }
}

/// A terminal's Ctrl-C, after so many milliseconds unless the program has ended before.
void interrupt_after(pid_t child, int milliseconds) {
  pollfd ended{static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  ::poll(&ended, 1, milliseconds);
  ::close(ended.fd);
  ::kill(-child, SIGINT);
}

}  // namespace

TEST_CASE("A check writes nothing: neither in the vault nor in the home folder") {
  const TempFolder place;
  place.make_folder("home");
  support::write_sessions(place, 5, "vault");
  place.write("vault/memory/broken--abcdefghijklmnop--summary.md", "no frontmatter");
  place.write("vault/MEMORY.md", "by another program\n");
  place.write("vault/daybook.yaml", "noise: []\n");
  place.make_link("vault/memory/link.md", "/etc/passwd");
  const auto before = snapshot_of(place);
  for (const char* format : {"human", "json", "gcc", "sarif"}) {
    Program program = daybook({"check", "--format", format, place.at("vault")});
    program.environment = {"HOME=" + place.at("home"), "XDG_STATE_HOME=" + place.at("home/state")};
    program.folder = place.at("home");
    CHECK(run(program).exit_code == 1);
  }
  CHECK((snapshot_of(place) == before));
  CHECK(fs::is_empty(place.at("home")));
}

TEST_CASE("A vault that may only be read is checked by whoever may read it") {
  const TempFolder vault;
  support::write_sessions(vault, 3);
  take_write_permission(vault);
  Program program = check_of(vault.path());
  program.unprivileged = true;
  const auto answer = answer_in(run(program));
  INFO(answer.to_text());
  CHECK(answer.files == 9);
  CHECK(answer.findings.empty());
}

TEST_CASE("What may not be read is reported, and the rest is checked all the same") {
  const TempFolder vault;
  support::write_sessions(vault, 2);
  SessionFiles locked("default", "locked", kTime);
  locked.summary.folder = "memory/private";
  locked.write(vault);
  SessionFiles wrong("default", "wrong", kLaterTime);
  wrong.transcript.fields.remove("sanitizer_version");
  wrong.write(vault);
  set_mode(vault, locked.transcript.path(), 0);
  set_mode(vault, "memory/private", 0);
  Program program = check_of(vault.path());
  program.unprivileged = true;
  const auto outcome = run(program);
  const auto answer = answer_in(outcome);
  INFO(answer.to_text());
  CHECK(outcome.exit_code == 1);
  CHECK(answer.codes_at(locked.transcript.path()) == Codes{"unreadable"});
  CHECK(answer.codes_at("memory/private") == Codes{"unreadable"});
  CHECK(answer.codes_at(wrong.transcript.path()) == Codes{"missing-field"});
  CHECK(answer.errors == 3);
}

TEST_CASE("A memory folder that may not be read is a failure, never an empty vault") {
  const TempFolder vault;
  support::write_sessions(vault, 1);
  Program program = check_of(vault.path());
  program.unprivileged = true;
  for (const mode_t mode : {0000U, 0111U, 0444U}) {
    set_mode(vault, "memory", mode);
    const auto outcome = run(program);
    INFO(outcome.out);
    CHECK(outcome.exit_code == 5);
    CHECK(outcome.out.find("memory\",") != std::string::npos);  // the path
  }
}

TEST_CASE("A workspace without memory/ is no workspace") {
  const TempFolder vault;
  vault.write("note.md", "a note\n");
  const auto outcome = run_daybook({"--workspace", vault.path(), "check"});
  CHECK(outcome.exit_code == 4);
  CHECK(outcome.err.find("there is no memory/ folder") != std::string::npos);
  CHECK(outcome.err.find("daybook init") != std::string::npos);
}

TEST_CASE("A memory folder that is a link is not followed, and the hint says what to do") {
  const TempFolder place;
  support::write_sessions(place, 1, "real");
  place.make_folder("vault");
  place.make_link("vault/memory", place.at("real/memory"));
  const auto outcome = run_daybook({"--workspace", place.at("vault"), "check"});
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.err.find("symbolic link") != std::string::npos);
  CHECK(outcome.err.find("Make the folder that holds the real memory/ the workspace") !=
        std::string::npos);
  CHECK(outcome.out.empty());
}

TEST_CASE("A memory that is a file is a failure that says so") {
  const TempFolder vault;
  vault.write("memory", "not a folder\n");
  const auto outcome = run_daybook({"--workspace", vault.path(), "check"});
  INFO(outcome.err);
  CHECK((outcome.exit_code == 4 || outcome.exit_code == 5));
  CHECK(outcome.err.find("symbolic link") == std::string::npos);  // that is not what it is
}

TEST_CASE("One vault gives one answer, however its path is written") {
  const TempFolder place;
  support::write_sessions(place, 2, "vault");
  SessionFiles wrong("default", "wrong", kTime);
  wrong.summary.body = "[[memory/gone.md]] is not there.\n";
  wrong.write(place, "vault");
  place.make_link("link", place.at("vault"));
  const auto gcc_of = [&place](const std::string& path, const std::string& folder) {
    Program program = daybook({"check", "--format", "gcc", path});
    program.folder = place.at(folder);
    return run(program).out;
  };
  const std::string expected = gcc_of(place.at("vault"), ".");
  CHECK(expected.starts_with("memory/"));
  for (const char* path : {"vault",
                           "vault/",
                           "./vault",
                           "vault//",
                           "vault/.",
                           "vault/memory/..",
                           "link",
                           "link/",
                           "link/memory",
                           "vault/memory",
                           "vault/memory/"}) {
    INFO(path);
    CHECK(gcc_of(path, ".") == expected);
  }
  CHECK(gcc_of(".", "vault") == expected);
  CHECK(gcc_of("..", "vault/memory") == expected);
  CHECK(gcc_of(".", "vault/memory") == expected);
  for (const std::string path : {"vault/", "link"}) {
    INFO("--workspace " << path);
    Program program = daybook({"--workspace", path, "check", "--format", "gcc"});
    program.folder = place.path();
    CHECK(run(program).out == expected);
  }
}

TEST_CASE("Ctrl-C stops a check at once, whenever it comes") {
  const TempFolder vault;
  support::write_sessions(vault, 700);
  for (int i = 0; i < 40; ++i) {
    Program program = check_of(vault.path());
    program.meanwhile = [i](pid_t child) { interrupt_after(child, i); };
    const ProgramOutcome outcome = run(program);
    INFO("after " << i << " ms: exit code " << outcome.exit_code << ", signal " << outcome.signal
                  << "\n"
                  << outcome.err);
    // The signal's own way before the program listens for it; done, if it came too late.
    CHECK((outcome.signal == SIGINT || outcome.exit_code == 130 || outcome.exit_code == 0));
    if (outcome.exit_code == 130) {
      CHECK(outcome.err == "daybook: stopped; nothing was changed\n");
      CHECK(outcome.out.empty());
    }
    if (outcome.exit_code == 0) {
      CHECK(support::read_check_answer(outcome.out).files == 2100);
    }
  }
}

TEST_CASE("Ctrl-C in the midst of a check gives exit code 130 and no half an answer") {
  const std::string strace = support::find_program("strace");
  if (strace.empty() || support::is_sanitized()) {
    WARN("not shown: it needs strace, and a program without sanitizers");
    return;
  }
  const TempFolder vault;
  support::write_sessions(vault, 50);
  for (const int nth : {1, 2}) {  // the signal comes with that look into memory/
    Program program;
    program.command = {strace,
                       "-f",
                       "-qq",
                       "-o",
                       "/dev/null",
                       "-e",
                       "trace=getdents64",
                       "-e",
                       "inject=getdents64:signal=SIGINT:when=" + std::to_string(nth),
                       DAYBOOK_BINARY,
                       "check",
                       vault.path().string()};
    const ProgramOutcome outcome = run(program);
    INFO(nth << ": " << outcome.out << outcome.err);
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == "daybook: stopped; nothing was changed\n");
  }
}

}  // namespace daybook::test
