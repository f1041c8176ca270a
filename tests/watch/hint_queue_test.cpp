// SPDX-License-Identifier: MIT
#include "daybook/watch/hint_queue.hpp"

#include <catch2/catch.hpp>

#include <thread>

namespace daybook::watch {
namespace {

using What = Hint::What;

Moment soon() { return std::chrono::steady_clock::now() + std::chrono::seconds(30); }

}  // namespace

TEST_CASE("Hints come out in the order in which they came, and wake whoever waits") {
  HintQueue queue;
  std::thread watcher([&queue] {
    for (int i = 0; i < 1000; ++i) {
      queue.take({What::changed, std::to_string(i)});
    }
  });
  std::vector<std::string> seen;
  while (seen.size() < 1000) {
    for (const TimedHint& hint : queue.take_all(soon())) {
      seen.push_back(hint.hint.path);
    }
  }
  watcher.join();
  for (int i = 0; i < 1000; ++i) {
    CHECK(seen[static_cast<std::size_t>(i)] == std::to_string(i));
  }
  CHECK(queue.overflows() == 0);
}

TEST_CASE("A wish ends the wait without a hint") {
  HintQueue queue;
  std::thread other([&queue] { queue.wake(); });
  CHECK(queue.take_all(soon()).empty());
  other.join();
}

TEST_CASE("When nobody takes, hints give way to one that says they are lost") {
  HintQueue queue(10);
  for (int i = 0; i < 11; ++i) {
    queue.take({What::changed, std::to_string(i)});
  }
  const auto hints = queue.take_all(soon());
  REQUIRE(hints.size() == 1);
  CHECK(hints[0].hint.what == What::lost);
  CHECK(queue.overflows() == 1);
}

}  // namespace daybook::watch
