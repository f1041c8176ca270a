// SPDX-License-Identifier: MIT
//
// A few of the gauntlet's storms and lies in a plain test, because the gauntlet is not built under
// ThreadSanitizer, and these are what its threads meet in.
#include "daemon/storm.hpp"

#include "daemon/lying_source.hpp"
#include "daemon/watched_vault.hpp"

#include <catch2/catch.hpp>

namespace daybook::daemon {

TEST_CASE("After a storm everything equals a rebuild") {
  const std::uint64_t seed = GENERATE(std::uint64_t{1}, std::uint64_t{2});
  CAPTURE(seed);
  WatchedVault watched("watch:\n  settle_ms: 100\n  longest_ms: 1000\n  sweep_seconds: 3600\n");
  watched.vault().add(flow::session(0, flow::Naming::by_path));
  watched.start();
  Storm(watched.vault(), seed).rage(300);
  const bool equal = watched.equals_rebuild();
  INFO(watched.difference());
  CHECK(equal);
  CHECK(watched.health().failures == 0);
}

TEST_CASE("Whatever the watcher tells, one sweep later everything equals a rebuild") {
  const Lie lie = GENERATE(Lie::drops_half, Lie::doubles, Lie::wrong_paths, Lie::deaf);
  CAPTURE(static_cast<int>(lie));
  LyingSource source(lie, 1);  // outlives the service
  WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
  watched.vault().add(flow::session(0, flow::Naming::by_path));
  watched.start(source);
  Storm(watched.vault(), 1).rage(100);
  const bool equal = watched.equals_rebuild();
  INFO(watched.difference());
  CHECK(equal);
  watched.stop();
}

}  // namespace daybook::daemon
