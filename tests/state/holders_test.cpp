// SPDX-License-Identifier: MIT
#include "daybook/state/holders.hpp"

#include "daybook/state/lease.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/service_lock.hpp"
#include "state/state_bench.hpp"
#include "state/stepped_clock.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <unistd.h>

using namespace daybook;
using namespace daybook::state;
using daybook::support::TempFolder;

TEST_CASE("Nobody is at work in a new folder, and looking makes nothing") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  const SteppedClock clock;
  CHECK_FALSE(pipeline_holder(folder));
  CHECK_FALSE(lease_holder(folder, clock));
  CHECK_FALSE(std::filesystem::exists(folder.file("pipeline.lock")));
  CHECK_FALSE(std::filesystem::exists(folder.file("lease.db")));
}

TEST_CASE("The holder of the pipeline lock is named as long as it holds it") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  {
    const auto lock = PipelineLock::acquire(folder, {"daybook reindex", {0}, {}});
    REQUIRE(lock);
    const auto holder = pipeline_holder(folder);
    REQUIRE(holder);
    CHECK(holder->find("(daybook reindex)") != std::string::npos);
    CHECK(pipeline_holder(folder));  // looking has not taken it away
    CHECK_FALSE(abandoned_lock_note(folder));
  }
  CHECK_FALSE(pipeline_holder(folder));
  CHECK_FALSE(abandoned_lock_note(folder));
  temp.write("state/pipeline.lock", "pid 1 (a process that was killed)");
  CHECK_FALSE(pipeline_holder(folder));
  CHECK(abandoned_lock_note(folder) == "pid 1 (a process that was killed)");
}

TEST_CASE("A workspace has one service, and a second one is told by whom it is watched") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  CHECK_FALSE(service_holder(folder));
  {
    const auto lock = ServiceLock::acquire(folder, "daybook watch", {0});
    REQUIRE(lock);
    const auto holder = service_holder(folder);
    REQUIRE(holder);
    CHECK(holder->pid == ::getpid());
    CHECK(holder->note.find("(daybook watch)") != std::string::npos);
    const auto second = ServiceLock::acquire(folder, "daybook watch", {0});
    REQUIRE_FALSE(second);
    CHECK(second.error().kind == ErrorKind::busy);
    CHECK(second.error().message.find("pid " + std::to_string(::getpid())) != std::string::npos);
  }
  CHECK_FALSE(service_holder(folder));
  temp.write("state/service.lock", "pid 1 (a process that was killed)");
  CHECK_FALSE(service_holder(folder));
}

TEST_CASE("The holder of the lease is named until it is given back or has run out") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  SteppedClock clock;
  auto lease = Lease::acquire(folder, clock, {kLeaseTime, {}, 0, "daybook watch"});
  REQUIRE(lease);
  const auto holder = lease_holder(folder, clock);
  REQUIRE(holder);
  CHECK(holder->find("(daybook watch)") != std::string::npos);
  clock.now += kLeaseTime.count();
  CHECK_FALSE(lease_holder(folder, clock));
  REQUIRE(lease->renew());
  CHECK(lease_holder(folder, clock));
  SteppedClock rebooted;
  rebooted.boot = "boot-2";
  CHECK_FALSE(lease_holder(folder, rebooted));
  REQUIRE(lease->release());
  CHECK_FALSE(lease_holder(folder, clock));
}
