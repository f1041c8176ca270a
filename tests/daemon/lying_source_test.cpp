// SPDX-License-Identifier: MIT
//
// A watcher that has gone deaf is noticed, one that hears is not taken for deaf. That no lie keeps
// the service from the truth is a row of the gauntlet: liar.
#include "daemon/lying_source.hpp"

#include "daemon/watched_vault.hpp"
#include "flow/disturbance.hpp"

#include <catch2/catch.hpp>

namespace daybook::daemon {

TEST_CASE("A deaf watcher is noticed, counted and made anew") {
  LyingSource source(Lie::deaf);
  WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
  watched.vault().add(flow::session(0, flow::Naming::by_path));
  watched.start(source);
  REQUIRE(source.watched() == 1);
  CHECK(watched.health().deaf == 0);
  watched.vault().add(flow::session(1, flow::Naming::by_path));
  CHECK(watched.shows("session=key-1 "));
  CHECK(support::eventually([&] { return watched.health().deaf == 1; }));
  CHECK(support::eventually([&] { return source.watched() == 2; }));
  watched.stop();
}

TEST_CASE("A watcher that hears is not taken for deaf, however often every file is looked at") {
  WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
  watched.vault().add(flow::session(0, flow::Naming::by_path));
  watched.start();
  for (int i = 1; i < 30; ++i) {
    if (i % 5 == 0) {
      continue;  // another agent's
    }
    watched.vault().add(flow::session(i, flow::Naming::by_path));
    REQUIRE(watched.shows("session=key-" + std::to_string(i) + " "));
  }
  const std::uint64_t sweeps = watched.health().sweeps;
  REQUIRE(support::eventually([&] { return watched.health().sweeps > sweeps + 1; }));
  CHECK(watched.health().deaf == 0);
}

}  // namespace daybook::daemon
