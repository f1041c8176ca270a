// SPDX-License-Identifier: MIT
//
// Locks and the lease as somebody has left or forged them: a link, a pipe, a folder, another user's
// file, a note that lies, a fence that nobody was given. Nothing is locked or written through a
// link, nobody waits for ever, and who was overtaken publishes nothing.
#include "cli/memory_vault.hpp"
#include "daybook/state/lease.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/store/database.hpp"
#include "state/lease_rows.hpp"
#include "state/stepped_clock.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <csignal>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

const char* const kUntouched = "not Daybook's";

/// A lock of the state folder, and a command that takes it.
struct Taken {
  std::string lock;
  std::vector<std::string> command;
};

std::vector<Taken> all_locks() {
  return {
      {"pipeline.lock", {"reindex"}},
      {"service.lock", {"watch"}},
      {"locks/" + token_of("default", "key-1") + ".lock",
       {"capture", "compaction", "--session-id", "run-default-key-1", "--session-key", "key-1"}},
      {"locks", {"capture", "session-end", "--session-id", "new"}},
      {"text", {"reindex", "--full"}},
      {"state.db", {"reindex"}},
      {"lease.db", {"render"}}};
}

/// Runs it; a service, which would stay, is ended.
support::ProgramOutcome run_briefly(const MemoryVault& vault, const Taken& taken) {
  auto program = vault.program(taken.command);
  if (taken.command.front() == "watch") {
    program.command.emplace_back("--detach");
  } else if (taken.command.front() == "capture") {
    vault.place().write("given.md", "The gauge was mended.\n");
    program.command.emplace_back(taken.lock == "locks" ? "--summary" : "--text");
    program.command.push_back(vault.place().at("given.md"));
  } else if (taken.command.front() == "render") {
    fs::remove(vault.place().at("vault/MEMORY.md"));  // else there is nothing to publish
  }
  auto outcome = support::run(program);
  vault.run({"service", "stop"});
  return outcome;
}

}  // namespace

TEST_CASE("Lock and lease forgery: nothing is locked, written or made through a link") {
  for (const Taken& taken : all_locks()) {
    const MemoryVault vault;
    vault.index();
    vault.place().write("elsewhere/file", kUntouched);
    const std::string path = vault.place().at("state/" + taken.lock);
    const bool to_folder = taken.lock == "locks" || taken.lock == "text";
    for (const char* target : {"elsewhere/file", "elsewhere/missing", "elsewhere"}) {
      CAPTURE(taken.lock, target);
      if (to_folder != (std::string(target) == "elsewhere")) {
        continue;
      }
      fs::remove_all(path);
      fs::create_directories(fs::path(path).parent_path());
      fs::create_symlink(vault.place().at(target), path);
      const auto outcome = run_briefly(vault, taken);
      INFO(outcome.out << outcome.err);
      CHECK(outcome.signal == 0);
      CHECK(fs::is_symlink(path) == (outcome.exit_code != 0));  // refused, or replaced by a file
      CHECK(vault.place().read("elsewhere/file") == kUntouched);
      std::vector<std::string> names;
      for (const auto& entry : fs::directory_iterator(vault.place().at("elsewhere"))) {
        names.push_back(entry.path().filename().string());
      }
      CHECK(names == std::vector<std::string>{"file"});
    }
    fs::remove_all(path);
    CHECK(run_briefly(vault, taken).exit_code != 5);  // and all is well again
  }
}

TEST_CASE("Lock and lease forgery: a pipe, a folder or another user's file is refused at once") {
  for (const Taken& taken : all_locks()) {
    if (!taken.lock.ends_with(".lock")) {
      continue;
    }
    const MemoryVault vault;
    vault.index();
    const std::string path = vault.place().at("state/" + taken.lock);
    for (const std::string kind : {"pipe", "folder", "foreign"}) {
      CAPTURE(taken.lock, kind);
      fs::remove_all(path);
      fs::create_directories(fs::path(path).parent_path());
      if (kind == "pipe") {
        vault.place().make_pipe("state/" + taken.lock);
      } else if (kind == "folder") {
        fs::create_directory(path);
      } else {
        vault.place().write("state/" + taken.lock, "");
        if (::geteuid() != 0 || ::chown(path.c_str(), 65534, 65534) != 0) {
          continue;  // nobody else's file can be made
        }
      }
      const auto outcome = run_briefly(vault, taken);
      INFO(outcome.out << outcome.err);
      CHECK(outcome.exit_code == 5);
      CHECK(contains(outcome.out + outcome.err, ".lock"));
    }
  }
}

TEST_CASE("Lock and lease forgery: a note that names another process endangers nobody") {
  const MemoryVault vault;
  vault.index();
  std::array<char, 256> host{};
  REQUIRE(::gethostname(host.data(), host.size() - 1) == 0);
  support::Program victim;
  victim.command = {"/bin/sleep", "60"};
  int ended_by = 0;
  victim.meanwhile = [&](pid_t process) {
    for (const std::string& pid : {std::to_string(process),
                                   std::to_string(-process),
                                   std::string("-1"),
                                   std::string("1"),
                                   std::string("0"),
                                   std::string("99999999999999999999")}) {
      const std::string note = "pid " + pid + " (daybook watch) on " + host.data() +
                               " since 2026-03-30T00:00:00.000Z\x1b[2J";
      vault.place().write("state/service.lock", note);
      vault.place().write("state/pipeline.lock", note);
      vault.run({"service", "stop"});
      CHECK_FALSE(contains(vault.run({"status"}).out, "\x1b"));
      CHECK(vault.run({"reindex"}).exit_code == 0);  // nobody holds it, whatever it says
    }
    CHECK(::kill(process, 0) == 0);
    ended_by = ::kill(process, SIGKILL) == 0 ? SIGKILL : 0;
  };
  CHECK(support::run(victim).signal == ended_by);
}

TEST_CASE("Lock and lease forgery: a forged epoch is refused, and never shuts the others out") {
  const support::TempFolder temp;
  const auto folder =
      state::StateFolder::open(temp.at("state"), "/vault", state::Create::if_missing);
  REQUIRE(folder);
  const state::SteppedClock clock;
  auto holder = state::Lease::acquire(*folder, clock);
  REQUIRE(holder);
  const std::int64_t fence = holder->fence();
  const std::int64_t forged = GENERATE(std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::max() - 1,
                                       std::numeric_limits<std::int64_t>::min(),
                                       std::int64_t{-1},
                                       std::int64_t{5000});
  const bool with_right_check = GENERATE(false, true);
  CAPTURE(forged, with_right_check);
  {
    auto database = store::Database::open(folder->file("lease.db"));
    REQUIRE(database);
    if (with_right_check) {
      auto row = state::read_lease(*database);
      REQUIRE((row && *row));
      (*row)->fence = forged;
      (*row)->holder = "forged";
      REQUIRE(state::write_lease(*database, **row));
    } else {
      REQUIRE(database->execute("UPDATE lease SET fence = " + std::to_string(forged)));
    }
  }
  int renames = 0;
  const auto count = [&renames]() -> Result<void> {
    ++renames;
    return {};
  };
  const auto late = holder->publish_under({"MEMORY.md", 7, {}}, count);
  CHECK((!late || *late == state::Verdict::superseded));
  CHECK(renames == 0);
  // Whoever comes next, after the forged one's time, publishes, with a fence above the last true
  // one.
  state::SteppedClock later;
  later.now = clock.now + 60'000;
  auto next = state::Lease::acquire(*folder, later, {state::kLeaseTime, {}, fence, "next"});
  INFO((next ? "" : next.error().message));
  REQUIRE(next);
  CHECK(next->fence() > fence);
  CHECK(next->publish_under({"MEMORY.md", 8, {}}, count).value() == state::Verdict::published);
  CHECK(renames == 1);
  const auto again = holder->publish_under({"MEMORY.md", 9, {}}, count);
  CHECK((!again || *again == state::Verdict::superseded));
  CHECK(renames == 1);
}

TEST_CASE("Lock and lease forgery: a lease forged to last for ever ends") {
  const support::TempFolder temp;
  const auto folder =
      state::StateFolder::open(temp.at("state"), "/vault", state::Create::if_missing);
  REQUIRE(folder);
  const state::SteppedClock clock;
  std::int64_t fence = 0;
  {
    auto holder = state::Lease::acquire(*folder, clock);
    REQUIRE(holder);
    fence = holder->fence();
    auto database = store::Database::open(folder->file("lease.db"));
    auto row = state::read_lease(*database);
    REQUIRE((row && *row));
    (*row)->holder = "forged";
    (*row)->expires_at = GENERATE(std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 50U);
    REQUIRE(state::write_lease(*database, **row));
  }
  state::SteppedClock later;
  later.now = clock.now + 60'000;
  auto next = state::Lease::acquire(*folder, later, {state::kLeaseTime, {}, fence, "next"});
  INFO((next ? "" : next.error().message));
  REQUIRE(next);
  CHECK(next->fence() > fence);
}

}  // namespace daybook::test
