// SPDX-License-Identifier: MIT
//
// memory/ itself goes, comes back, or is another one: what is known is kept, MEMORY.md never
// becomes empty, and the service finds back by itself.
#include "daemon/watched_vault.hpp"
#include "flow/disturbance.hpp"
#include "support/child.hpp"
#include "support/own_namespace.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>

#include <sys/mount.h>

namespace daybook::daemon {
namespace {

namespace fs = std::filesystem;
using flow::Naming;
using flow::session;
using support::enter_namespace;
using support::eventually;
using support::write_text;

void add_sessions(WatchedVault& watched, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    watched.vault().add(session(i, Naming::by_path));
  }
}

bool is_away(const WatchedVault& watched) { return watched.health().state == State::away; }

}  // namespace

TEST_CASE("memory/ that is missed by a pass, and there again by then, was away and is no failure") {
  support::WatchedDisk disk;
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start(disk);
  REQUIRE(watched.shows("session=key-1 "));
  disk.hides_memory = true;
  fs::create_directory(watched.at("memory/sub"));  // every file is looked at
  REQUIRE(eventually([&] { return watched.health().state == State::away; }));
  CHECK(watched.health().failures == 0);
  disk.hides_memory = false;
  watched.vault().add(session(2, Naming::by_path));
  CHECK(watched.shows("session=key-2 "));
  REQUIRE(watched.rests());
  CHECK(watched.health().failures == 0);
  CHECK(watched.health().backend == "inotify");
  CHECK_FALSE(watched.is_degraded(degraded::kVaultAway));
}

TEST_CASE("memory/ renamed away and back") {
  WatchedVault watched;
  add_sessions(watched, 1, 3);
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  const std::string before = watched.vault().memory_md();
  fs::rename(watched.at("memory"), watched.at("elsewhere"));
  CHECK(eventually([&] { return is_away(watched); }));
  CHECK(watched.is_degraded(degraded::kVaultAway));
  CHECK(watched.vault().memory_md() == before);
  fs::rename(watched.at("elsewhere"), watched.at("memory"));
  CHECK(eventually([&] { return !is_away(watched); }));
  CHECK(watched.vault().memory_md() == before);
  add_sessions(watched, 11, 1);
  CHECK(watched.shows("session=key-11 "));
  CHECK(watched.equals_rebuild());
  REQUIRE(watched.rests());
  CHECK_FALSE(watched.is_degraded(degraded::kVaultAway));
}

TEST_CASE("memory/ deleted and made again, at first empty") {
  WatchedVault watched;
  add_sessions(watched, 1, 3);
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  const std::string before = watched.vault().memory_md();
  SECTION("with a pause") {
    fs::remove_all(watched.at("memory"));
    CHECK(eventually([&] { return is_away(watched); }));
    CHECK(watched.vault().memory_md() == before);
    fs::create_directory(watched.at("memory"));
  }
  SECTION("at once") {
    fs::remove_all(watched.at("memory"));
    fs::create_directory(watched.at("memory"));
  }
  CHECK(eventually([&] { return watched.is_degraded(degraded::kVaultEmptied); }));
  CHECK(watched.vault().memory_md() == before);
  add_sessions(watched, 12, 2);
  CHECK(watched.shows("session=key-12 "));
  CHECK_FALSE(watched.shows_now("session=key-1 "));
  CHECK(watched.equals_rebuild());
  REQUIRE(watched.rests());
  CHECK(watched.health().degraded.empty());
}

TEST_CASE("Notes deleted one by one are believed, even the last") {
  WatchedVault watched;
  add_sessions(watched, 1, 1);
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  for (const std::string& path : flow::notes(watched.vault())) {
    watched.vault().unlink(path);
  }
  CHECK(watched.shows("No session in the last 30 days"));
  CHECK(watched.equals_rebuild());
}

TEST_CASE("memory/ replaced by a symbolic link is not followed, and found again") {
  WatchedVault watched;
  add_sessions(watched, 1, 2);
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  const std::string before = watched.vault().memory_md();
  fs::rename(watched.at("memory"), watched.vault().place().at("real"));
  fs::create_directory_symlink(watched.vault().place().at("real"), watched.at("memory"));
  CHECK(eventually([&] { return is_away(watched); }));
  CHECK(watched.vault().memory_md() == before);
  fs::remove(watched.at("memory"));
  fs::rename(watched.vault().place().at("real"), watched.at("memory"));
  CHECK(eventually([&] { return !is_away(watched); }));
  CHECK(watched.equals_rebuild());
}

TEST_CASE("A service that starts on an emptied, other memory/ keeps what is known") {
  WatchedVault watched;
  add_sessions(watched, 1, 2);
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  const std::string before = watched.vault().memory_md();
  watched.stop();
  fs::remove_all(watched.at("memory"));
  fs::create_directory(watched.at("memory"));
  watched.start();
  CHECK(watched.is_degraded(degraded::kVaultEmptied));
  CHECK(watched.vault().memory_md() == before);
}

TEST_CASE("memory/ unmounted and mounted again") {
  const auto outcome = support::run_in_child([]() -> std::string {
    if (!enter_namespace(CLONE_NEWNS)) {
      return "no namespaces";
    }
    WatchedVault watched;
    const std::string memory = watched.at("memory");
    if (::mount("none", memory.c_str(), "tmpfs", 0, nullptr) != 0) {
      return "no mount";
    }
    add_sessions(watched, 1, 2);
    watched.start();
    if (!watched.shows("session=key-1 ")) {
      return "never shown";
    }
    const std::string before = watched.vault().memory_md();
    if (::umount2(memory.c_str(), MNT_DETACH) != 0) {
      return "no unmounting";
    }
    if (!eventually([&] { return watched.is_degraded(degraded::kVaultEmptied); })) {
      return "an empty mount point was not noticed";
    }
    if (watched.vault().memory_md() != before) {
      return "MEMORY.md was changed";
    }
    ::mount("none", memory.c_str(), "tmpfs", 0, nullptr);
    add_sessions(watched, 3, 2);
    if (!watched.shows("session=key-3 ") || !watched.equals_rebuild()) {
      return "did not find back: " + watched.difference();
    }
    watched.stop();
    ::umount2(memory.c_str(), MNT_DETACH);
    return "as it should be";
  });
  if (outcome.answer == "no namespaces") {
    WARN("this machine has no user namespaces: unmounting was not tested");
  } else {
    CHECK(outcome.answer == "as it should be");
  }
}

TEST_CASE("Where watches run out, or there is no inotify, the service polls and says so") {
  const char* limit = GENERATE("max_inotify_watches", "max_inotify_instances");
  const auto outcome = support::run_in_child([limit]() -> std::string {
    if (!enter_namespace(0) ||
        !write_text(std::string("/proc/sys/user/") + limit,
                    std::string(limit) == "max_inotify_watches" ? "5" : "0")) {
      return "no namespaces";
    }
    WatchedVault watched;
    for (int i = 0; i < 12; ++i) {
      fs::create_directories(watched.at("memory/folder" + std::to_string(i)));
    }
    add_sessions(watched, 1, 2);
    watched.start();
    const Health health = watched.health();
    if (health.backend != "polling" || !watched.is_degraded(degraded::kPolling) ||
        health.trouble.empty()) {
      return "not degraded: " + health.backend;
    }
    auto late = session(11, Naming::by_path);
    late.summary.folder = late.transcript.folder = late.manifest.folder = "memory/folder11";
    watched.vault().add(late);
    if (!watched.shows("session=key-11 ") || !watched.equals_rebuild()) {
      return "does not follow: " + watched.difference();
    }
    return "as it should be";
  });
  if (outcome.answer == "no namespaces") {
    WARN("this machine has no user namespaces: limits were not tested");
  } else {
    CHECK(outcome.answer == "as it should be");
  }
}

}  // namespace daybook::daemon
