// SPDX-License-Identifier: MIT
// A process killed at any moment of a change, and readers beside a writer.
#include "daybook/index/full_text.hpp"
#include "index/text_shelf.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <csignal>
#include <random>
#include <string>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using daybook::index::MonthOutcome;
using daybook::index::MonthWork;
using daybook::support::TempFolder;
using daybook::support::TextShelf;

std::string long_text(std::int64_t file, int words) {
  std::mt19937 random(static_cast<unsigned>(file));  // NOLINT: the same every time
  std::string text("common ");
  for (int i = 0; i < words; ++i) {
    text.append("w").append(std::to_string(random() % 3000)).append(" ");
  }
  return text;
}

/// Runs endless work in a child that drops dead once it has worked for so many microseconds of its
/// own processor time, as exactly as the system's clock ticks.
void kill_within(unsigned microseconds, const std::function<void()>& work) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    static_cast<void>(std::signal(SIGPROF, SIG_DFL));
    const itimerval once{{0, 0}, {0, static_cast<suseconds_t>(microseconds) + 1}};
    ::setitimer(ITIMER_PROF, &once, nullptr);
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

}  // namespace

TEST_CASE("Killed at any moment of a building, the month is the old one or the new one") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  for (std::int64_t file = 1; file <= 60; ++file) {
    shelf.put(file, long_text(file, 300));
  }
  REQUIRE(shelf.bring());
  for (unsigned round = 0; round < 25; ++round) {
    kill_within(round * 1500, [&shelf] {
      for (;;) {
        static_cast<void>(shelf.bring(MonthWork::rebuild));
      }
    });
    CHECK(shelf.found("common").size() == 60);
    REQUIRE(shelf.bring());
    CHECK(shelf.files().size() == 1);
    CHECK(shelf.found("common").size() == 60);
  }
}

TEST_CASE("Killed at any moment of a change, the month is sound, and the change is made again") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  for (std::int64_t file = 1; file <= 100; ++file) {
    shelf.put(file, long_text(file, 200));
  }
  REQUIRE(shelf.bring());
  for (unsigned round = 0; round < 25; ++round) {
    kill_within(round * 1000, [&shelf] {
      for (std::int64_t file = 1000;; ++file) {
        shelf.put(file, "common young");
        static_cast<void>(shelf.bring());
      }
    });
    // Found before anything is mended: a half-done change is none.
    CHECK(shelf.search("common")->hits.size() >= 100);
    REQUIRE(shelf.bring(MonthWork::verify));
    CHECK(shelf.found("common").size() == 100);
    CHECK(shelf.found("young").empty());
    CHECK(shelf.files().size() == 1);
  }
}

TEST_CASE("Readers beside a writer always find the whole month") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  constexpr std::int64_t kSteady = 80;
  for (std::int64_t file = 1; file <= kSteady; ++file) {
    shelf.put(file, long_text(file, 100) + "steady");
  }
  REQUIRE(shelf.bring());
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> searches = 0;
  const auto read = [&] {
    const TextShelf reader(shelf.folder());
    while (!done) {
      const auto answer = reader.search("steady");
      wrong += answer && answer->hits.size() == kSteady && answer->damaged.empty() ? 0 : 1;
      ++searches;
    }
  };
  std::thread first(read);
  std::thread second(read);
  for (std::int64_t round = 0; round < 60; ++round) {
    shelf.put(1000 + round, "a passing document");
    CHECK(shelf.bring(round % 10 == 0 ? MonthWork::rebuild : MonthWork::update));
  }
  done = true;
  first.join();
  second.join();
  CHECK(searches > 0);
  CHECK(wrong == 0);
}
