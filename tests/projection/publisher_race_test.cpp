// SPDX-License-Identifier: MIT
//
// The wall clock has no say in who may publish. Holders that are stopped or killed at each step,
// and several processes that publish at once, are rows of the gauntlet: stopped-holder, publishers.
#include "projection/stopped_holder.hpp"

#include <catch2/catch.hpp>

using namespace daybook;
using namespace daybook::projection;
using std::chrono::milliseconds;

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
