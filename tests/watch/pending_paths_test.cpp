// SPDX-License-Identifier: MIT
#include "daybook/watch/pending_paths.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <set>

namespace daybook::watch {
namespace {

using namespace std::chrono_literals;
using What = Hint::What;
using Paths = std::vector<std::string>;

const Moment kStart{};

TimedHint hint(What what, std::string path, std::chrono::milliseconds at) {
  return {{what, std::move(path)}, kStart + at};
}

}  // namespace

TEST_CASE("A path is due when nothing more was heard of it for the settle time") {
  PendingPaths pending(SettleTimes{});
  CHECK_FALSE(pending.next_due());
  pending.note(hint(What::changed, "memory/a.md", 0ms));
  pending.note(hint(What::changed, "memory/a.md", 150ms));
  CHECK(pending.take_due(kStart + 349ms).paths.empty());
  CHECK(pending.next_due() == kStart + 350ms);
  CHECK(pending.take_due(kStart + 350ms).paths == Paths{"memory/a.md"});
  CHECK(pending.empty());
}

TEST_CASE("A path that never rests is due after the longest wait") {
  PendingPaths pending(SettleTimes{});
  for (auto at = 0ms; at < 2000ms; at += 100ms) {
    pending.note(hint(What::changed, "memory/a.md", at));
    CHECK(pending.take_due(kStart + at).paths.empty());
  }
  CHECK(pending.take_due(kStart + 2000ms).paths == Paths{"memory/a.md"});
}

TEST_CASE("What has gone waits longer, and not if it comes back") {
  PendingPaths pending(SettleTimes{});
  pending.note(hint(What::gone, "memory/a.md", 0ms));
  pending.note(hint(What::gone, "memory/b.md", 0ms));
  pending.note(hint(What::changed, "memory/b.md", 50ms));
  CHECK(pending.take_due(kStart + 250ms).paths == Paths{"memory/b.md"});
  CHECK(pending.take_due(kStart + 999ms).paths.empty());
  CHECK(pending.take_due(kStart + 1000ms).paths == Paths{"memory/a.md"});
}

TEST_CASE("Paths that rest within moments of each other are due together") {
  PendingPaths pending(SettleTimes{});
  pending.note(hint(What::changed, "memory/a.md", 0ms));
  pending.note(hint(What::changed, "memory/b.md", 10ms));
  pending.note(hint(What::changed, "memory/c.md", 90ms));
  CHECK(pending.take_due(kStart + 205ms).paths.empty());
  CHECK(pending.take_due(kStart + 210ms).paths == Paths{"memory/a.md", "memory/b.md"});
  CHECK(pending.take_due(kStart + 290ms).paths == Paths{"memory/c.md"});
}

TEST_CASE("Many paths are due when all of them rest, and never later than the longest wait") {
  PendingPaths pending(SettleTimes{});
  const auto write = [&pending](int number, std::chrono::milliseconds at) {
    pending.note(hint(What::changed, "memory/" + std::to_string(number) + ".md", at));
  };
  for (int i = 0; i < 100; ++i) {
    write(i, i * 5ms);
  }
  CHECK(pending.next_due() == kStart + 495ms + 200ms);
  CHECK(pending.take_due(kStart + 694ms).paths.empty());
  CHECK(pending.take_due(kStart + 695ms).paths.size() == 100);
  for (int i = 0; i < 500; ++i) {
    write(i, 1000ms + i * 5ms);
  }
  CHECK(pending.next_due() == kStart + 3000ms);
  // Those that rest by then; one that is still being written is not read.
  CHECK(pending.take_due(kStart + 3000ms).paths.size() == 361);
}

TEST_CASE("A look at everything waits until all rest, takes all along, and never waits too long") {
  PendingPaths pending(SettleTimes{});
  pending.note(hint(What::changed, "memory/a.md", 0ms));
  pending.note(hint(What::folder, "memory/sub", 100ms));
  pending.note(hint(What::changed, "memory/a.md", 250ms));
  CHECK_FALSE(pending.take_due(kStart + 300ms).everything);
  const Due due = pending.take_due(kStart + 450ms);
  CHECK(due.everything);
  CHECK(due.folders);
  CHECK(due.paths.empty());
  CHECK(pending.empty());

  for (auto at = 0ms; at < 2000ms; at += 100ms) {
    pending.note(hint(at == 0ms ? What::lost : What::changed, "memory/a.md", at));
    CHECK_FALSE(pending.take_due(kStart + at).everything);
  }
  CHECK(pending.take_due(kStart + 2000ms).everything);
}

TEST_CASE("Too many paths become a look at everything") {
  PendingPaths pending(SettleTimes{});
  for (std::size_t i = 0; i <= PendingPaths::kMost; ++i) {
    pending.note(hint(What::changed, "memory/" + std::to_string(i) + ".md", 0ms));
  }
  CHECK(pending.size() == 0);
  const Due due = pending.take_due(kStart + 200ms);
  CHECK(due.everything);
  CHECK_FALSE(due.folders);
}

TEST_CASE("Whatever is heard, every path is due once it rests, and none before or twice") {
  rc::prop("due exactly once after the last hint", [] {
    PendingPaths pending(SettleTimes{});
    const auto count = *rc::gen::inRange(1, 60);
    std::map<std::string, std::chrono::milliseconds> last;
    std::map<std::string, std::chrono::milliseconds> first;
    auto now = 0ms;
    for (int i = 0; i < count; ++i) {
      now += std::chrono::milliseconds(*rc::gen::inRange(0, 120));
      const std::string path = "memory/" + std::to_string(*rc::gen::inRange(0, 5)) + ".md";
      for (const std::string& due : pending.take_due(kStart + now).paths) {
        RC_ASSERT(now - last.at(due) >= 200ms || now - first.at(due) >= 2000ms);
        last.erase(due);
        first.erase(due);
      }
      pending.note(hint(*rc::gen::element(What::changed, What::gone), path, now));
      last[path] = now;
      first.try_emplace(path, now);
    }
    std::set<std::string> expected;
    for (const auto& [path, at] : last) {
      expected.insert(path);
    }
    const Due due = pending.take_due(kStart + now + 5s);
    RC_ASSERT(std::set<std::string>(due.paths.begin(), due.paths.end()) == expected);
    RC_ASSERT(pending.empty());
  });
}

}  // namespace daybook::watch
