// SPDX-License-Identifier: MIT
#include "daybook/daemon/clock_guard.hpp"
#include "daybook/daemon/file_guard.hpp"
#include "daybook/daemon/follow_schedule.hpp"
#include "daybook/daemon/hearing.hpp"
#include "daybook/daemon/retry_timer.hpp"
#include "daybook/daemon/root_identity.hpp"
#include "daybook/daemon/side_work.hpp"
#include "daybook/daemon/sweep_schedule.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace daybook::daemon {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using support::TempFolder;

const watch::Moment kStart{};

}  // namespace

TEST_CASE("Sweeps are spread around their interval") {
  SweepSchedule schedule(60s);
  schedule.measured(10ms);
  schedule.swept(kStart, Backend::events, 0.0);
  CHECK(schedule.next() == kStart + 45s);
  schedule.swept(kStart, Backend::events, 0.999);
  CHECK(schedule.next() > kStart + 74s);
  CHECK(schedule.next() < kStart + 75s);
}

TEST_CASE(
    "The interval stretches with what a sweep costs, so that it stays below 0.2 % of a core") {
  SweepSchedule schedule(60s);
  for (const auto cost : {1ms, 50ms, 700ms, 5000ms}) {
    schedule.measured(cost);
    for (const double chance : {0.0, 0.5, 0.99}) {
      schedule.swept(kStart, Backend::events, chance);
      const double share = std::chrono::duration<double>(cost) /
                           std::chrono::duration<double>(schedule.next() - kStart);
      CHECK(share < 0.002);
    }
  }
}

TEST_CASE("An interval that somebody has set does not stretch") {
  SweepSchedule schedule(60s);
  schedule.set_interval(5s, Stretch::forbidden);
  schedule.measured(5s);
  CHECK(schedule.interval(Backend::events) == 5s);
  schedule.set_interval(5s, Stretch::allowed);
  CHECK(schedule.interval(Backend::events) == 5000s);
}

TEST_CASE("Where events cannot be relied on, every file is looked at every two seconds") {
  SweepSchedule schedule(60s);
  schedule.measured(5ms);
  CHECK(schedule.interval(Backend::polling) == 2s);
  schedule.measured(1s);
  CHECK(schedule.interval(Backend::polling) == 50s);
}

TEST_CASE("Sleep and a clock that was set are told apart from time that passes") {
  using Jump = ClockGuard::Jump;
  ClockGuard guard;
  CHECK(guard.look({1'000'000, 500'000, 400'000}) == Jump::none);
  CHECK(guard.look({1'001'000, 501'000, 401'000}) == Jump::none);
  CHECK(guard.look({4'601'000, 4'101'000, 402'000}) == Jump::slept);
  CHECK(guard.look({4'602'000, 4'102'000, 403'000}) == Jump::none);
  CHECK(guard.look({1'000'000, 4'103'000, 404'000}) == Jump::set);
  CHECK(guard.look({99'000'000, 4'104'000, 405'000}) == Jump::set);
  // A process that was stopped for a minute: all clocks went on.
  CHECK(guard.look({99'060'000, 4'164'000, 465'000}) == Jump::none);
}

TEST_CASE("A folder that was deleted and made again is another one") {
  const TempFolder place;
  place.make_folder("memory");
  const auto before = look_at_root(place.at("memory"));
  REQUIRE(before);
  CHECK(look_at_root(place.at("memory")) == before);
  fs::remove(place.at("memory"));
  CHECK_FALSE(look_at_root(place.at("memory")));
  place.make_folder("memory");
  const auto after = look_at_root(place.at("memory"));
  REQUIRE(after);
  CHECK(after != before);
  CHECK(after->lasting() != before->lasting());
}

TEST_CASE("A link or a file in the place of the folder is not it") {
  const TempFolder place;
  place.make_folder("real");
  place.make_link("memory", place.at("real"));
  CHECK_FALSE(look_at_root(place.at("memory")));
  place.write("file", "x");
  CHECK_FALSE(look_at_root(place.at("file")));
}

TEST_CASE("An altered MEMORY.md is told once, and only when it rests") {
  const TempFolder place;
  place.write("MEMORY.md", "ours");
  FileGuard guard;
  guard.remember({place.at("MEMORY.md")});
  CHECK_FALSE(guard.altered());
  place.write("MEMORY.md", "theirs");
  CHECK_FALSE(guard.altered());  // perhaps somebody is still at it
  place.write("MEMORY.md", "theirs, longer");
  CHECK_FALSE(guard.altered());
  CHECK(guard.altered());
  CHECK_FALSE(guard.altered());
  fs::remove(place.at("MEMORY.md"));
  CHECK_FALSE(guard.altered());
  CHECK(guard.altered());
  guard.remember({place.at("MEMORY.md")});
  CHECK_FALSE(guard.altered());
}

TEST_CASE(
    "What failed is tried ever later: up to five seconds if somebody was in the way, else a "
    "minute") {
  RetryTimer retry;
  CHECK_FALSE(retry.take_due(kStart));
  retry.failed(kStart, Obstacle::busy);
  CHECK(retry.next() == kStart + 500ms);
  retry.failed(kStart, Obstacle::busy);
  CHECK(retry.next() == kStart + 1s);
  for (int i = 0; i < 20; ++i) {
    retry.failed(kStart, Obstacle::busy);
  }
  CHECK(retry.next() == kStart + 5s);
  for (int i = 0; i < 20; ++i) {
    retry.failed(kStart, Obstacle::failure);
  }
  CHECK(retry.next() == kStart + 60s);
  CHECK_FALSE(retry.take_due(kStart + 59s));
  CHECK(retry.take_due(kStart + 60s));
  CHECK_FALSE(retry.take_due(kStart + 61s));
  retry.failed(kStart, Obstacle::failure);
  retry.made_up();
  CHECK_FALSE(retry.next());
  retry.failed(kStart, Obstacle::failure);
  CHECK(retry.next() == kStart + 500ms);
}

TEST_CASE("The full text waits for a second of quiet, and never longer than ten") {
  FollowSchedule text;
  CHECK_FALSE(text.is_due(kStart + 1h));
  text.want(kStart);
  CHECK(text.next() == kStart + 1s);
  for (auto at = kStart; at < kStart + 9500ms; at += 500ms) {
    text.want(at);
    CHECK_FALSE(text.is_due(at));
  }
  CHECK(text.next() == kStart + 10s);
  CHECK(text.is_due(kStart + 10s));
  text.begun();
  CHECK_FALSE(text.is_due(kStart + 1h));
  text.ended(FollowSchedule::End::complete, kStart + 11s);
  CHECK_FALSE(text.next());
}

TEST_CASE("The full text is made once at a time, and again for what changed beside it") {
  using End = FollowSchedule::End;
  FollowSchedule text;
  text.want(kStart);
  text.begun();
  text.want(kStart + 5s);
  CHECK_FALSE(text.next());
  CHECK_FALSE(text.is_due(kStart + 1h));
  text.ended(End::complete, kStart + 20s);
  CHECK(text.next() == kStart + 20s);  // at once
  text.begun();
  text.ended(End::cut_off, kStart + 30s);
  CHECK(text.next() == kStart + 31s);
}

TEST_CASE("Full text that fails is tried again ever later, whatever changes meanwhile") {
  using End = FollowSchedule::End;
  FollowSchedule text;
  auto at = kStart;
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    text.want(at);
    text.begun();
    text.ended(End::failed, at);
    text.want(at);
    CHECK(text.next() == at + pause);
    at += pause;
  }
  text.begun();
  text.ended(End::complete, at);
  text.want(at);
  CHECK(text.next() == at + 1s);
}

TEST_CASE("Work beside the passes begins once when it is due, and goes on after it was cut off") {
  SideWork work;
  CHECK_FALSE(work.take_due(kStart + 1h));
  work.want(kStart);
  CHECK_FALSE(work.take_due(kStart));
  CHECK(work.take_due(kStart + 1s));
  CHECK(work.is_under_way());
  CHECK_FALSE(work.take_due(kStart + 1h));
  work.ended(Error{ErrorKind::busy, "another pass", {}, {}}, kStart + 2s);
  CHECK(work.next() == kStart + 3s);
  CHECK(work.take_due(kStart + 3s));
  work.ended(std::uint64_t{0}, kStart + 4s);
  CHECK_FALSE(work.next());
}

TEST_CASE("Other settings end work beside the passes, and its failures count no more") {
  SideWork work(300s);
  work.want(kStart);
  REQUIRE(work.take_due(kStart + 1s));
  work.ended(Error{ErrorKind::io, "no endpoint", {}, {}}, kStart + 1s);
  REQUIRE(work.take_due(kStart + 2s));
  work.ended(Error{ErrorKind::io, "no endpoint", {}, {}}, kStart + 2s);
  work.start_over();
  CHECK(work.progress().cancelled);
  CHECK(work.take_due(kStart + 3s));
  CHECK_FALSE(work.progress().cancelled);
}

TEST_CASE("After a stop no work beside the passes begins any more") {
  SideWork work;
  work.want(kStart);
  work.stop();
  CHECK(work.progress().cancelled);
  CHECK_FALSE(work.take_due(kStart + 1h));
  CHECK_FALSE(work.is_under_way());
}

TEST_CASE("Deaf is only who has heard nothing until the time is over") {
  Hearing hearing;
  CHECK_FALSE(hearing.proves_deaf(0, kStart));
  hearing.doubt(7, kStart + 300ms);
  CHECK_FALSE(hearing.proves_deaf(7, kStart + 299ms));
  CHECK(hearing.proves_deaf(7, kStart + 300ms));
  CHECK_FALSE(hearing.proves_deaf(7, kStart + 301ms));
  hearing.doubt(7, kStart + 300ms);
  CHECK_FALSE(hearing.proves_deaf(8, kStart + 300ms));
}

}  // namespace daybook::daemon
