// SPDX-License-Identifier: MIT
//
// What can lie in a folder besides files, folders and links: nobody waits for it.
#include "cli/daybook_program.hpp"
#include "security/hostile.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using support::CheckAnswer;

}  // namespace

TEST_CASE("FIFO, device, socket: pipes and sockets are unreadable, and nobody waits for them") {
  HostileVault vault;
  vault.session.write(vault.folder);
  fs::remove(vault.folder.at(vault.session.transcript.path()));
  vault.folder.make_pipe(vault.session.transcript.path());
  vault.folder.make_socket("memory/socket.md");
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  CHECK(answer.codes_at(vault.session.transcript.path()) == Codes{"unreadable"});
  CHECK(answer.codes_at("memory/socket.md") == Codes{"unreadable"});
}

TEST_CASE(
    "FIFO, device, socket: a pipe in the place of daybook.yaml is an error, and nobody waits for "
    "it") {
  HostileVault vault;
  vault.folder.make_pipe("daybook.yaml");
  const auto outcome = run_within_bounds({"check", vault.folder.path()});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("daybook.yaml") != std::string::npos);
}

TEST_CASE("FIFO, device, socket: a folder with an artifact's name is no artifact") {
  HostileVault vault;
  vault.session.summary.present = false;
  vault.session.write(vault.folder);
  vault.folder.make_folder(vault.session.summary.path());
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  CHECK(answer.findings.empty());
}

TEST_CASE("FIFO, device, socket: no command waits for one, wherever in the vault it lies") {
  HostileVault vault;
  vault.session.write(vault.folder);
  const auto run = [&vault](const std::vector<std::string>& words) {
    return run_within_bounds(
        support::on_vault(vault.folder.path(), vault.state.at("state"), words));
  };
  CHECK(run({"reindex"}).exit_code == 0);
  // In the place of each file of a session, beside them, and where Daybook reads or writes others.
  const std::string transcript = vault.session.transcript.path();
  const std::string conflict =
      transcript.substr(0, transcript.size() - 3) + ".sync-conflict-20260328-223406-ABCDEFG.md";
  fs::remove(vault.folder.at(transcript));
  fs::remove(vault.folder.at("MEMORY.md"));
  for (const std::string& name : {transcript,
                                  conflict,
                                  std::string("memory/pinned.md"),
                                  std::string("memory/a/b/pipe.md"),
                                  std::string("MEMORY.md"),
                                  std::string("memory/2026-03-25T10-00-00.000Z--") +
                                      vault.session.token() + "--tombstone.md"}) {
    fs::create_directories(fs::path(vault.folder.at(name)).parent_path());
    vault.folder.make_pipe(name);
  }
  vault.folder.make_socket("memory/socket.md");
  const bool device =
      ::geteuid() == 0 &&
      ::mknod(vault.folder.at("memory/zero.md").c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0;
  if (!device) {
    WARN("no device can be made here: not proved for one");
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check"},
        {"reindex"},
        {"reindex", "--full"},
        {"render"},
        {"search", "--fresh", "word"},
        {"show", "hostile"},
        {"links", "hostile", "--explain"},
        {"status"},
        {"doctor", "--deep"},
        {"doctor", "--fix"},
        {"conflicts", "resolve", "--yes"},
        {"watch", "--once"},
        {"capture", "session-end", "--session-id", "new", "--summary", "/dev/null"},
        {"remove", "--session", "hostile", "--reason", "a test", "--yes"}}) {
    INFO(words[0]);
    CHECK(run(words).exit_code >= 0);  // it ends by itself, and cheaply
  }
}

TEST_CASE(
    "FIFO, device, socket: a hook and an import do not wait for a transcript that is a pipe") {
  HostileVault vault;
  vault.folder.make_pipe("pipe.jsonl");
  vault.folder.write("hook",
                     R"({"hook_event_name":"SessionEnd","session_id":"s","transcript_path":")" +
                         vault.folder.at("pipe.jsonl") + "\"}");
  support::Program hook = daybook({"--workspace",
                                   vault.folder.path(),
                                   "--state-dir",
                                   vault.state.at("state"),
                                   "hook",
                                   "claude-code"});
  hook.stdin_file = vault.folder.at("hook");
  CHECK(support::run(hook).exit_code == 0);
  run_within_bounds({"--workspace",
                     vault.folder.path(),
                     "--state-dir",
                     vault.state.at("state"),
                     "import",
                     "claude-code",
                     vault.folder.at("pipe.jsonl")});
  run_within_bounds({"--workspace",
                     vault.folder.path(),
                     "--state-dir",
                     vault.state.at("state"),
                     "capture",
                     "session-end",
                     "--session-id",
                     "s",
                     "--transcript",
                     vault.folder.at("memory")});
}

}  // namespace daybook::test
