// SPDX-License-Identifier: MIT
// Several processes that publish at once, and holders that are stopped or killed on the way.
#include "projection/publishing.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace daybook;
using namespace daybook::projection;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {

constexpr std::array kAllSteps{PublishStep::inspect,
                               PublishStep::judge,
                               PublishStep::copy,
                               PublishStep::write,
                               PublishStep::announce,
                               PublishStep::enter,
                               PublishStep::rename,
                               PublishStep::leave,
                               PublishStep::record};

/// Inside the transaction nobody else can publish until it continues or dies.
bool inside_transaction(PublishStep step) {
  return step == PublishStep::rename || step == PublishStep::leave;
}

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A child that publishes one generation and stops or kills itself before a step.
struct Holder {
  pid_t pid = -1;

  Holder(const Vault& vault,
         PublishStep at,
         int signal,
         std::int64_t number,
         std::int64_t generation) {
    pid = ::fork();
    if (pid == 0) {
      ::alarm(60);
      auto desk = Desk::open(vault, {milliseconds{50}, milliseconds{5000}, 0, "holder"});
      if (!desk) {
        ::_exit(9);
      }
      const auto outcome =
          desk->publish(vault, {"MEMORY.md", version(number), generation}, [&](PublishStep step) {
            if (step == at) {
              ::kill(::getpid(), signal);
            }
          });
      ::_exit(outcome ? static_cast<int>(outcome->state) : 8);
    }
    int status = 0;
    REQUIRE(::waitpid(pid, &status, WUNTRACED) == pid);
    REQUIRE((signal == SIGSTOP ? WIFSTOPPED(status) : WIFSIGNALED(status)));
  }

  int continue_to_end() const {
    ::kill(pid, SIGCONT);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

}  // namespace

TEST_CASE("a holder stopped at any step past its time overwrites nothing when it continues") {
  for (const PublishStep at : kAllSteps) {
    CAPTURE(static_cast<int>(at));
    const Vault vault;
    {
      auto first = Desk::open(vault);
      REQUIRE(first);
      REQUIRE(first->publish(vault, {"MEMORY.md", version(1), 1}));
    }
    // Somebody replaces it once, so that there is something to copy and to count.
    vault.temp.write("vault/MEMORY.md", "by hand\n");
    // Of the same generation as the next one, so that the lease alone tells them apart.
    const Holder holder(vault, at, SIGSTOP, 2, 3);
    const std::string while_stopped = vault.temp.read("vault/MEMORY.md");

    auto next = Desk::open(vault, {milliseconds{50}, milliseconds{1000}, 0, "next"});
    if (inside_transaction(at)) {
      REQUIRE_FALSE(next);
      CHECK(next.error().kind == ErrorKind::busy);
      CHECK(next.error().message.find("pid " + std::to_string(holder.pid) + " (holder)") !=
            std::string::npos);
      CHECK(vault.temp.read("vault/MEMORY.md") == while_stopped);
      CHECK(holder.continue_to_end() == static_cast<int>(PublishState::published));
      continue;
    }
    REQUIRE(next);
    const auto outcome = next->publish(vault, {"MEMORY.md", version(3), 3});
    REQUIRE(outcome);
    CHECK(outcome->state == PublishState::published);
    const int ended = holder.continue_to_end();
    CHECK(ended == static_cast<int>(at == PublishStep::record ? PublishState::published
                                                              : PublishState::superseded));
    CHECK(vault.temp.read("vault/MEMORY.md") == version(3));
    // Not a contest, either: one replacement, seen by two.
    CHECK(next->database.publications().contested().value().empty());
  }
}

TEST_CASE("a holder killed at any step frees the lease at once and leaves a whole file") {
  for (const PublishStep at : kAllSteps) {
    CAPTURE(static_cast<int>(at));
    Vault vault;
    vault.temp.write("vault/MEMORY.md", "by hand\n");
    for (std::int64_t round = 1; round <= 3; ++round) {
      const Holder holder(vault, at, SIGKILL, 10 * round, 10 * round);
      const std::string left = vault.temp.read("vault/MEMORY.md");
      CHECK((left == "by hand\n" || generation_of(left) > 0));
      auto next = Desk::open(vault, {milliseconds{10'000}, milliseconds{0}, 0, "next"});
      INFO((next ? "" : next.error().message));
      REQUIRE(next);
      const auto outcome =
          next->publish(vault, {"MEMORY.md", version(10 * round + 1), 10 * round + 1});
      REQUIRE(outcome);
      CHECK(outcome->state == PublishState::published);
      CHECK(vault.temp.read("vault/MEMORY.md") == version(10 * round + 1));
      // So that there is something to copy in the next round, too; seldom enough for no contest.
      vault.clock.now += 11 * 60 * 1000;
      vault.temp.write("vault/MEMORY.md", "by hand\n");
    }
  }
}

TEST_CASE("the wall clock an hour off in either direction still leaves one writer") {
  for (const std::int64_t hours : {-1, 1}) {
    Vault vault;
    const Holder holder(vault, PublishStep::enter, SIGSTOP, 1, 2);
    {
      auto first = Desk::open(vault, {milliseconds{60'000}, milliseconds{1000}, 0, "first"});
      REQUIRE(first);
      vault.clock.now += hours * 60 * 60 * 1000;
      const auto second = Desk::open(vault);
      REQUIRE_FALSE(second);
      CHECK(second.error().kind == ErrorKind::busy);
      CHECK(first->publish(vault, {"MEMORY.md", version(2), 2})->state == PublishState::published);
    }
    CHECK(holder.continue_to_end() == static_cast<int>(PublishState::superseded));
    CHECK(vault.temp.read("vault/MEMORY.md") == version(2));
  }
}

namespace {

constexpr int kWriters = 8;
constexpr milliseconds kDuration{10'000};

/// Publishes the next generation again and again; each line of its log is one fence and generation.
[[noreturn]] void be_a_writer(const Vault& vault, int number) {
  ::alarm(60);
  std::ofstream log(vault.temp.at("log-" + std::to_string(number)));
  const auto end = steady_clock::now() + kDuration;
  while (steady_clock::now() < end) {
    auto desk = Desk::open(vault, {milliseconds{2000}, milliseconds{5000}, 0, "writer"});
    if (!desk) {
      if (desk.error().kind == ErrorKind::busy) {
        continue;
      }
      log << "failed " << desk.error().message << std::endl;
      ::_exit(1);
    }
    const auto known = desk->lease.published_generation("MEMORY.md");
    const std::int64_t generation = known->value_or(0) + 1;
    const auto outcome = desk->publish(vault, {"MEMORY.md", version(generation), generation});
    if (!outcome || outcome->state != PublishState::published || outcome->record_problem) {
      log << "failed " << (outcome ? "state" : outcome.error().message) << std::endl;
      ::_exit(1);
    }
    log << desk->lease.fence() << ' ' << generation << '\n';
  }
  log.flush();
  ::_exit(0);
}

/// Reads until told to stop; every version must be whole, and none older than the one before.
[[noreturn]] void be_a_reader(const Vault& vault, int stop) {
  ::alarm(60);
  std::int64_t newest = 0;
  std::int64_t reads = 0;
  pollfd told{stop, POLLIN, 0};
  while (::poll(&told, 1, 0) == 0) {
    const std::string text = bytes_of(vault.temp.at("vault/MEMORY.md"));
    if (text.empty() && newest == 0) {
      continue;  // not there yet
    }
    const std::int64_t generation = generation_of(text);
    if (generation < newest) {
      ::_exit(1);
    }
    newest = generation;
    ++reads;
  }
  ::_exit(reads > 0 && newest > 0 ? 0 : 2);
}

int exit_code(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("eight processes publish at once: whole versions, growing fences, the newest last") {
  const Vault vault;
  std::array<int, 2> stop{};
  REQUIRE(::pipe(stop.data()) == 0);
  const pid_t reader = ::fork();
  if (reader == 0) {
    ::close(stop[1]);
    be_a_reader(vault, stop[0]);
  }
  ::close(stop[0]);
  std::vector<pid_t> writers;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      be_a_writer(vault, i);
    }
    writers.push_back(child);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> all;  // fence, generation
  for (std::size_t i = 0; i < writers.size(); ++i) {
    const int code = exit_code(writers[i]);
    const std::string log = vault.temp.read("log-" + std::to_string(i));
    INFO(log.substr(0, 300));
    CHECK(code == 0);
    std::istringstream lines(log);
    std::int64_t fence = 0;
    std::int64_t generation = 0;
    while (lines >> fence >> generation) {
      all.emplace_back(fence, generation);
    }
  }
  ::close(stop[1]);
  CHECK(exit_code(reader) == 0);
  std::sort(all.begin(), all.end());
  REQUIRE(all.size() > 10);
  // Each fence once, and each publication the next generation: no two writers ever overlapped.
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].second == static_cast<std::int64_t>(i) + 1);
    CHECK((i == 0 || all[i].first > all[i - 1].first));
  }
  CHECK(generation_of(vault.temp.read("vault/MEMORY.md")) == all.back().second);
  for (const auto& entry : fs::directory_iterator(vault.temp.at("vault"))) {
    CHECK(entry.path().filename() == "MEMORY.md");
  }
}
