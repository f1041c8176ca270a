// SPDX-License-Identifier: MIT
//
// The keystone for the service: after any storm, rows and MEMORY.md are those of a rebuild, by
// events and by what doubt makes of them, without waiting for the timer.
#include "daemon/storm.hpp"

#include "daemon/watched_vault.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

namespace daybook::daemon {
namespace {

/// DAYBOOK_STORMS asks for more, DAYBOOK_STORM_SEED for others.
int asked(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

}  // namespace

TEST_CASE("After a storm everything equals a rebuild") {
  constexpr int kOperations = 300;
  const int storms = asked("DAYBOOK_STORMS", 30);
  const int first = asked("DAYBOOK_STORM_SEED", 1);
  double slowest = 0;
  for (int seed = first; seed < first + storms; ++seed) {
    INFO("seed " << seed);
    WatchedVault watched("watch:\n  settle_ms: 100\n  longest_ms: 1000\n  sweep_seconds: 3600\n");
    watched.vault().add(flow::session(0, flow::Naming::by_path));
    watched.start();
    Storm(watched.vault(), static_cast<std::uint64_t>(seed)).rage(kOperations);
    const base::Stopwatch quiet;
    const bool equal = watched.equals_rebuild();
    slowest = std::max(slowest, quiet.seconds());
    const Health health = watched.health();
    INFO(to_string(health.state) << ", " << health.queue << " waiting, " << health.sweeps
                                 << " sweeps, " << health.last_error);
    INFO(watched.difference());
    REQUIRE(equal);
    CHECK(watched.health().failures == 0);
  }
  std::cout << "storms: " << storms << ", slowest to equal a rebuild: " << slowest << " s\n";
}

}  // namespace daybook::daemon
