// SPDX-License-Identifier: MIT
//
// `daybook doctor`: its exit codes, its JSON, what it shows and what it does not do without --fix.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

/// Without the session that lies in the future, which is a finding.
class QuietVault : public MemoryVault {
 public:
  QuietVault() {
    for (const auto& entry : fs::directory_iterator(place().at("vault/memory"))) {
      if (entry.path().filename().string().starts_with("2026-05")) {
        fs::remove(entry.path());
      }
    }
    index();
  }
};

nlohmann::json finding(const nlohmann::json& answer, const std::string& name) {
  const auto& findings = answer.at("findings");
  const auto found = std::find_if(findings.begin(), findings.end(), [&name](const auto& one) {
    return one.at("name") == name;
  });
  return found == findings.end() ? nlohmann::json() : *found;
}

void leave_temporary(const MemoryVault& vault) {
  vault.place().write("vault/memory/.daybook-abcdefghijklmnop.tmp", "half");
}

/// Kills the program after so many milliseconds, unless it has ended before.
void kill_after(pid_t child, int milliseconds) {
  pollfd ended{static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  ::poll(&ended, 1, milliseconds);
  ::close(ended.fd);
  ::kill(child, SIGKILL);
}

/// Names anywhere below that only a process which was killed leaves.
std::vector<std::string> leftovers_below(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".daybook-") || contains(name, ".new")) {
      found.push_back(entry.path().string());
    }
  }
  return found;
}

bool is_left(const MemoryVault& vault) {
  return fs::exists(vault.place().at("vault/memory/.daybook-abcdefghijklmnop.tmp"));
}

}  // namespace

TEST_CASE("doctor gives every documented field, and 0 when nothing is wrong") {
  const QuietVault vault;
  const auto human = vault.run({"doctor"});
  INFO(human.out << human.err);
  CHECK(human.exit_code == 0);
  CHECK(human.out.ends_with("All is well.\n"));
  CHECK(vault.run({"doctor", "--quiet"}).out.empty());
  const auto answer = vault.json({"doctor", "--deep"});
  CHECK(answer.at("ok") == true);
  CHECK(answer.at("workspace") == fs::canonical(vault.place().at("vault")).string());
  CHECK(answer.at("state_dir") == vault.place().at("state"));
  CHECK(answer.at("indexed") == true);
  CHECK(answer.at("deep") == true);
  CHECK(answer.at("fix") == false);
  CHECK(answer.at("dry_run") == false);
  CHECK(answer.at("errors") == 0);
  CHECK(answer.at("warnings") == 0);
  CHECK(answer.at("deeds").empty());
  CHECK(answer.at("problem").is_null());
  const auto rows = finding(answer, "index-rows-ok");
  REQUIRE(rows.is_object());
  CHECK(rows.at("check") == "index-rows");
  CHECK(rows.at("severity") == "ok");
  CHECK(rows.at("fixable") == false);
  CHECK(rows.at("fixed") == false);
  CHECK(rows.at("hint").is_string());
  CHECK(rows.at("message").is_string());
  CHECK(rows.at("paths").is_array());
}

TEST_CASE("problems give 1, are left alone without --fix, and go with it") {
  const QuietVault vault;
  leave_temporary(vault);
  ::chmod(vault.place().at("state").c_str(), 0755);
  const auto found = vault.run({"doctor"});
  CHECK(found.exit_code == 1);
  CHECK(contains(found.out, "!   leftovers"));
  CHECK(contains(found.out, "-> 'daybook doctor --fix' removes"));
  CHECK(contains(found.out, "0 errors, 2 warnings. 'daybook doctor --fix' can mend 2 of them."));
  const auto quiet = vault.run({"doctor", "--quiet"});
  CHECK(quiet.exit_code == 1);
  CHECK(contains(quiet.out, "leftovers"));
  CHECK_FALSE(contains(quiet.out, "All is well"));
  CHECK_FALSE(contains(quiet.out, "ok  "));
  const auto planned = vault.json({"doctor", "--fix", "--dry-run"});
  CHECK(planned.at("deeds").size() == 2);
  CHECK(planned.at("dry_run") == true);
  CHECK(finding(planned, "leftovers-found").at("fixable") == true);
  CHECK(finding(planned, "leftovers-found").at("fixed") == false);
  CHECK(is_left(vault));
  struct stat state {};
  REQUIRE(::stat(vault.place().at("state").c_str(), &state) == 0);
  CHECK((state.st_mode & 0777U) == 0755);
  const auto mended = vault.json({"doctor", "--fix"});
  CHECK(mended.at("ok") == true);
  CHECK(finding(mended, "leftovers-found").at("fixed") == true);
  CHECK(finding(mended, "state-folder-not-private").at("fixed") == true);
  CHECK_FALSE(is_left(vault));
  CHECK(vault.run({"doctor"}).exit_code == 0);
}

TEST_CASE("marks are coloured when that is wished, and text from outside stays harmless") {
  const QuietVault vault;
  vault.place().write("vault/memory/\x1b[31mPlan.sync-conflict-20260328-223406-ABCDEFG.md", "x\n");
  const auto outcome = vault.run({"doctor", "--color", "always"});
  CHECK(contains(outcome.out, "\x1b[32mok\x1b[0m"));
  CHECK(contains(outcome.out, "\x1b[33m! \x1b[0m"));
  CHECK(contains(outcome.out, "\\x1b[31mPlan"));
  CHECK_FALSE(contains(vault.run({"doctor"}).out, "\x1b"));
}

TEST_CASE(
    "a workspace that was never indexed is no problem, and a folder without memory/ is none") {
  const MemoryVault vault;
  fs::remove(vault.place().at("vault/memory/2026-05-05T10-00-00.000Z--" +
                              token_of("default", "ahead") + "--summary.md"));
  const auto answer = vault.json({"doctor"});
  CHECK(answer.at("indexed") == false);
  CHECK(finding(answer, "never-indexed").at("severity") == "info");
  CHECK_FALSE(fs::exists(vault.place().at("state")));
  fs::remove_all(vault.place().at("vault/memory"));
  CHECK(vault.run({"doctor"}).exit_code == 4);
  CHECK(vault.json({"doctor"}).at("error").at("code") == "no-workspace");
}

TEST_CASE("a dry run needs a wish to fix, and state inside the vault is wrong usage") {
  const QuietVault vault;
  CHECK(vault.run({"doctor", "--dry-run"}).exit_code == 2);
  auto inside = vault.program({"doctor"});
  inside.command[4] = vault.place().at("vault/state");
  CHECK(support::run(inside).exit_code == 2);
}

TEST_CASE("wrong settings are a finding; a cure that needs a pass then cannot run") {
  const QuietVault vault;
  vault.place().write("vault/daybook.yaml", "noises: []\n");
  const auto outcome = vault.run({"doctor"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "x   configuration"));
  fs::remove(vault.place().at("state/index.db"));
  const auto refused = vault.run({"doctor", "--fix"});
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err, "daybook.yaml:1"));
}

TEST_CASE("a cure beside another process is busy, and names it") {
  const QuietVault vault;
  leave_temporary(vault);
  vault.place().write("state/pipeline.lock", "pid 77 (daybook watch)");
  ::chmod(vault.place().at("state/pipeline.lock").c_str(), 0600);
  const int lock = ::open(vault.place().at("state/pipeline.lock").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::flock(lock, LOCK_EX | LOCK_NB) == 0);
  CHECK(finding(vault.json({"doctor"}), "lock-held").at("severity") == "info");
  const auto busy = vault.run({"doctor", "--fix"});
  CHECK(busy.exit_code == 3);
  CHECK(contains(busy.err, "pid 77 (daybook watch)"));
  ::close(lock);
  CHECK(vault.run({"doctor", "--fix"}).exit_code == 0);
}

TEST_CASE(
    "who may not write into workspace or state is told so, and everything else is looked at") {
  const QuietVault vault;
  for (const char* name : {"vault", "vault/memory"}) {
    ::chmod(vault.place().at(name).c_str(), 0555);
  }
  auto program = vault.program({"--json", "doctor"});
  program.unprivileged = true;
  const auto answer = nlohmann::json::parse(support::run(program).out);
  CHECK(finding(answer, "workspace-not-writable").at("severity") == "error");
  CHECK(finding(answer, "obsidian-ok").is_object());
  CHECK(answer.at("ok") == false);
}

TEST_CASE("after passes that were killed at any moment, a cure leaves nothing of them behind") {
  const QuietVault vault;
  support::write_sessions(vault.place(), 60, "vault");
  for (int round = 0; round < 25; ++round) {
    fs::remove(vault.place().at("vault/MEMORY.md"));
    auto pass = vault.program({"reindex", "--full"});
    pass.meanwhile = [round](pid_t child) { kill_after(child, 2 + 2 * round); };
    support::run(pass);
    if (round % 5 == 4) {
      const auto cured = vault.run({"doctor", "--fix"});
      INFO(cured.out << cured.err);
      CHECK(cured.exit_code == 0);
      CHECK(leftovers_below(vault.place().path()) == std::vector<std::string>());
    }
  }
  CHECK(vault.run({"doctor", "--deep"}).exit_code == 0);
}

}  // namespace daybook::test
