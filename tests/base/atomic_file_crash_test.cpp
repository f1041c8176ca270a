// SPDX-License-Identifier: MIT
//
// Writes that fail, writers that race, writers that are killed: one whole version, or the old one.
#include "daybook/base/atomic_file.hpp"
#include "support/child.hpp"
#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

using support::outcome_of;
using support::run_in_child;
using support::TempFolder;
using Names = std::vector<std::string>;

/// One letter again and again: any mixture of two versions shows.
bool is_one_version(const std::string& text, std::size_t size) {
  return text.size() == size && text.find_first_not_of(text.front()) == std::string::npos;
}

/// From here on no file can grow beyond `bytes`; writing more is an error, not a signal.
void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

TEST_CASE("a write that fails leaves the target as it was and no temporary") {
  const TempFolder folder;
  folder.write("note.md", "old");
  const auto outcome = run_in_child([&folder] {
    limit_file_size(4096);
    const std::string large(100'000, 'x');
    return outcome_of(write_file_atomically(folder.at("note.md"), large, IfExists::replace)) + " " +
           outcome_of(write_file_atomically(folder.at("new.md"), large, IfExists::keep)) + " " +
           outcome_of(write_file_atomically(folder.at("small.md"), "fits", IfExists::keep));
  });
  CHECK(outcome.signal == 0);
  CHECK(outcome.answer == "io io ok");
  CHECK(folder.read("note.md") == "old");
  CHECK(folder.names() == Names{"note.md", "small.md"});
}

TEST_CASE("a commit after a failed write does not publish the half that was written") {
  const TempFolder folder;
  folder.write("note.md", "old");
  const auto outcome = run_in_child([&folder] {
    limit_file_size(4096);
    auto file = AtomicFile::create(folder.at("note.md"));
    const std::string written = outcome_of(file->write(std::string(100'000, 'x')));
    return written + (file->commit(IfExists::replace).ok() ? " committed" : " refused");
  });
  CHECK(outcome.answer == "io refused");
  CHECK((folder.read("note.md") == "old"));
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("after a failed commit the object is spent and nothing is left of it") {
  const TempFolder folder;
  folder.write("note.md", "old");
  auto file = AtomicFile::create(folder.at("note.md"));
  REQUIRE(file.ok());
  CHECK(file->write("new").ok());
  CHECK(outcome_of(file->commit(IfExists::keep)) == "already_exists");
  CHECK(folder.names() == Names{"note.md"});
  CHECK_FALSE(file->write("more").ok());
  CHECK_FALSE(file->commit(IfExists::replace).ok());
  CHECK(folder.read("note.md") == "old");
}

TEST_CASE("a moved file is committed once by its new owner") {
  const TempFolder folder;
  auto made = AtomicFile::create(folder.at("first.md"));
  REQUIRE(made.ok());
  CHECK(made->write("one").ok());
  AtomicFile file(std::move(made).value());
  CHECK(folder.names().size() == 1);

  auto other = AtomicFile::create(folder.at("second.md"));
  REQUIRE(other.ok());
  CHECK(other->write("two").ok());
  CHECK(folder.names().size() == 2);
  file = std::move(other).value();  // the first one was never committed: gone
  CHECK(folder.names().size() == 1);
  CHECK(file.commit(IfExists::keep).ok());
  CHECK(folder.names() == Names{"second.md"});
  CHECK(folder.read("second.md") == "two");
}

TEST_CASE("many writers of one file leave one complete version at every moment") {
  constexpr std::size_t kSize = 50'000;
  constexpr std::size_t kWriters = 4;
  constexpr int kRounds = 10;
  const TempFolder folder;
  const std::string path = folder.at("note.md");
  folder.write("note.md", std::string(kSize, '0'));
  std::array<int, kWriters> failures{};
  std::atomic<std::size_t> running = kWriters;
  int torn = 0;
  std::size_t reads = 0;

  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const std::string version(kSize, static_cast<char>('a' + i));
      for (int round = 0; round < kRounds; ++round) {
        failures[i] += write_file_atomically(path, version, IfExists::replace).ok() ? 0 : 1;
      }
      --running;
    });
  }
  do {
    torn += is_one_version(folder.read("note.md"), kSize) ? 0 : 1;
    ++reads;
  } while (running > 0);
  for (std::thread& writer : writers) {
    writer.join();
  }

  CHECK(failures == std::array<int, kWriters>{});
  CHECK(torn == 0);
  CHECK(reads > 0);
  CHECK(is_one_version(folder.read("note.md"), kSize));
  CHECK(folder.read("note.md").front() != '0');
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("of many who create the same immutable file exactly one succeeds") {
  constexpr std::size_t kWriters = 6;
  constexpr std::size_t kSize = 20'000;
  const TempFolder folder;
  std::array<std::string, kWriters> outcomes;
  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const std::string version(kSize, static_cast<char>('a' + i));
      outcomes[i] =
          outcome_of(write_file_atomically(folder.at("note.md"), version, IfExists::keep));
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  const auto winner = std::find(outcomes.begin(), outcomes.end(), "ok");
  REQUIRE(winner != outcomes.end());
  CHECK(std::count(outcomes.begin(), outcomes.end(), "ok") == 1);
  CHECK(std::count(outcomes.begin(), outcomes.end(), "already_exists") == kWriters - 1);
  const auto letter = static_cast<char>('a' + (winner - outcomes.begin()));
  CHECK(folder.read("note.md") == std::string(kSize, letter));
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("a writer killed in the middle leaves the old file whole and a temporary that is known") {
  for (const bool everything_written : {false, true}) {
    const TempFolder folder;
    folder.write("note.md", "old");
    const auto outcome = run_in_child([&]() -> std::string {
      auto file = AtomicFile::create(folder.at("note.md"));
      if (!file.ok() || !file->write("half of the n").ok() ||
          (everything_written && !file->write("ew text").ok())) {
        return "not so far";
      }
      ::kill(::getpid(), SIGKILL);
      return "survived";
    });
    CHECK(outcome.signal == SIGKILL);
    CHECK(folder.read("note.md") == "old");
    Names names = folder.names();
    REQUIRE(names.size() == 2);
    CHECK(is_temporary_name(names.front()));
    CHECK(names.back() == "note.md");
    // The leftover is in nobody's way.
    CHECK(write_file_atomically(folder.at("note.md"), "new", IfExists::replace).ok());
    CHECK(folder.read("note.md") == "new");
  }
}

TEST_CASE("a writer killed at any moment leaves one complete version") {
  constexpr std::size_t kSize = 30'000;
  for (int commits_before_the_end = 1; commits_before_the_end <= 8; ++commits_before_the_end) {
    const TempFolder folder;
    folder.write("note.md", std::string(kSize, 'z'));
    std::array<int, 2> progress{};
    REQUIRE(::pipe(progress.data()) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int round = 0;; ++round) {
        const std::string version(kSize, static_cast<char>('a' + round % 25));
        if (!write_file_atomically(folder.at("note.md"), version, IfExists::replace).ok() ||
            ::write(progress[1], ".", 1) != 1) {
          ::_exit(1);
        }
      }
    }
    ::close(progress[1]);
    char dot = 0;
    for (int i = 0; i < commits_before_the_end; ++i) {
      REQUIRE(::read(progress[0], &dot, 1) == 1);
    }
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    ::close(progress[0]);
    REQUIRE(WIFSIGNALED(status));

    CHECK(is_one_version(folder.read("note.md"), kSize));
    Names names = folder.names();
    std::erase(names, "note.md");
    CHECK(names.size() <= 1);
    CHECK(std::all_of(names.begin(), names.end(), is_temporary_name));
  }
}

TEST_CASE("only names that a writer gives are taken for temporaries") {
  CHECK(is_temporary_name(".daybook-abcdefghij234567.tmp"));
  for (const std::string& name : Names{"",
                                       ".",
                                       "note.md",
                                       "MEMORY.md",
                                       "daybook-abcdefghij234567.tmp",
                                       ".daybook-abcdefghij234567.tmp.md",
                                       ".daybook-abcdefghij234567.md",
                                       ".daybook-abcdefghij23456.tmp",
                                       ".daybook-abcdefghij2345678.tmp",
                                       ".daybook-.tmp",
                                       "x.daybook-abcdefghij234567.tmp",
                                       ".obsidian-abcdefghij23456.tmp",
                                       ".daybook.tmp"}) {
    CAPTURE(name);
    CHECK_FALSE(is_temporary_name(name));
  }
}

TEST_CASE("a name of the right length but with other letters is no temporary of ours") {
  CHECK_FALSE(is_temporary_name(".daybook-ABCDEFGHIJ234567.tmp"));
  CHECK_FALSE(is_temporary_name(".daybook-my own notes 001.tmp"));
  CHECK_FALSE(is_temporary_name(".daybook-abcdefghij01890x.tmp"));
}

}  // namespace daybook::base
