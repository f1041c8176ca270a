// SPDX-License-Identifier: MIT
#include "daybook/state/lease.hpp"

#include "daybook/store/database.hpp"
#include "state/state_bench.hpp"
#include "state/stepped_clock.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace daybook;
using namespace daybook::state;
using daybook::support::run_in_child;
using daybook::support::TempFolder;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

namespace {

struct LeaseBench {
  TempFolder temp;
  StateFolder folder = state_in(temp);
  SteppedClock clock;

  Lease taken(const LeaseRequest& request = {}) {
    auto lease = Lease::acquire(folder, clock, request);
    REQUIRE(lease);
    return std::move(lease).value();
  }
  std::string database() const { return folder.file("lease.db"); }
};

Publication publication(std::int64_t generation) { return {"MEMORY.md", generation, {}}; }

Result<void> nothing() { return {}; }

/// A holder in another process: taken, then stopped for good by `end`.
void hold_in_child(const LeaseBench& bench, int end, bool reap = true) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto lease = Lease::acquire(bench.folder, bench.clock, {});
    ::kill(::getpid(), lease ? end : SIGABRT);
    ::_exit(0);
  }
  if (reap) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(WTERMSIG(status) == end);
  } else {
    siginfo_t info{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  }
}

void flip_bit(const std::string& path, std::size_t offset, unsigned bit) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(byte ^ (1 << bit)));
}

/// Tells the other side when it has been asked again, which is when somebody waits.
class TellingClock final : public SteppedClock {
 public:
  explicit TellingClock(int tell) : tell_(tell) {}
  std::int64_t now_ms() const override {
    if (++asked_ == kWaiting) {
      CHECK(::write(tell_, "w", 1) == 1);
    }
    return SteppedClock::now_ms();
  }

 private:
  static constexpr int kWaiting = 5;
  int tell_;
  mutable int asked_ = 0;
};

}  // namespace

TEST_CASE("one holder at a time, named to the next, and fencing numbers only grow") {
  LeaseBench bench;
  std::int64_t fence = 0;
  {
    const Lease first = bench.taken({kLeaseTime, {}, 0, "daybook watch"});
    fence = first.fence();
    CHECK(fence == 1);
    const auto second = Lease::acquire(bench.folder, bench.clock);
    REQUIRE_FALSE(second);
    CHECK(second.error().kind == ErrorKind::busy);
    CHECK(second.error().message.find("held by pid " + std::to_string(::getpid()) +
                                      " (daybook watch)") != std::string::npos);
    CHECK_FALSE(second.error().hint.empty());
  }
  CHECK(bench.taken().fence() == fence + 1);
  CHECK(bench.taken({kLeaseTime, {}, 70, "x"}).fence() == 71);
  CHECK(bench.taken({kLeaseTime, {}, 3, "x"}).fence() == 72);
  CHECK(bench.taken({kLeaseTime, {}, std::int64_t{1} << 60, "x"}).fence() == 73);
}

TEST_CASE("a lease lasts its time to the millisecond, and renewing counts again") {
  LeaseBench bench;
  Lease first = bench.taken();
  bench.clock.now += 9'999;
  CHECK_FALSE(Lease::acquire(bench.folder, bench.clock));
  REQUIRE(first.renew());
  bench.clock.now += 9'999;
  CHECK_FALSE(Lease::acquire(bench.folder, bench.clock));
  bench.clock.now += 1;
  Lease second = bench.taken();
  CHECK(second.fence() > first.fence());
  const auto lost = first.renew();
  REQUIRE_FALSE(lost);
  CHECK(lost.error().kind == ErrorKind::busy);
  CHECK(lost.error().message.find("pid") != std::string::npos);
  // The loser's release leaves the winner alone.
  CHECK(first.release());
  CHECK(second.renew());
}

TEST_CASE("another start of the machine frees the lease") {
  LeaseBench bench;
  const Lease first = bench.taken();
  bench.clock.now = 5;
  SECTION("told by the boot id") { bench.clock.boot = "boot-2"; }
  SECTION("told by the clock alone") {}
  CHECK(bench.taken().fence() == first.fence() + 1);
}

TEST_CASE("a dead holder's lease is free at once") {
  LeaseBench bench;
  SECTION("reaped") { hold_in_child(bench, SIGKILL); }
  SECTION("a zombie") { hold_in_child(bench, SIGKILL, false); }
  CHECK(bench.taken().fence() == 2);
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

TEST_CASE("waiting for a lease ends when it is free") {
  LeaseBench bench;
  int held[2];
  int waiting[2];
  REQUIRE(::pipe(held) == 0);
  REQUIRE(::pipe(waiting) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    auto lease = Lease::acquire(bench.folder, bench.clock);
    const bool told = lease && ::write(held[1], "h", 1) == 1 && ::read(waiting[0], &byte, 1) == 1;
    ::_exit(told && lease->release() ? 0 : 1);
  }
  char byte = 0;
  REQUIRE(::read(held[0], &byte, 1) == 1);
  const TellingClock clock(waiting[1]);
  const auto lease =
      Lease::acquire(bench.folder, clock, {kLeaseTime, milliseconds{20'000}, 0, "test"});
  REQUIRE(lease);
  CHECK(lease->fence() == 2);
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  for (const int end : {held[0], held[1], waiting[0], waiting[1]}) {
    ::close(end);
  }
}

TEST_CASE("publishing runs the rename once, and not for whom was overtaken") {
  LeaseBench bench;
  Lease first = bench.taken();
  int renamed = 0;
  const auto rename = [&renamed]() -> Result<void> {
    ++renamed;
    return {};
  };
  CHECK(first.publish_under(publication(5), rename).value() == Verdict::published);
  CHECK(first.published_generation("MEMORY.md").value() == 5);
  CHECK(first.published_generation("agents/x/MEMORY.md").value() == std::nullopt);
  CHECK(first.publish_under(publication(5), rename).value() == Verdict::published);
  CHECK(first.publish_under(publication(4), rename).value() == Verdict::superseded);
  CHECK(renamed == 2);
  // Its time is over, but nobody has taken it: it is still the only one.
  bench.clock.now += 60'000;
  CHECK(first.publish_under(publication(6), rename).value() == Verdict::published);
  Lease second = bench.taken();
  CHECK(first.publish_under(publication(7), rename).value() == Verdict::superseded);
  CHECK(renamed == 3);
  CHECK(second.publish_under(publication(7), rename).value() == Verdict::published);
  REQUIRE(second.release());
  CHECK(second.publish_under(publication(8), rename).value() == Verdict::superseded);
  CHECK(renamed == 4);
}

TEST_CASE("a rename that fails is handed on and leaves nothing recorded") {
  LeaseBench bench;
  Lease lease = bench.taken();
  const auto failed = lease.publish_under(publication(9), []() -> Result<void> {
    return Error{ErrorKind::io, "no room", "x", {}};
  });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "no room");
  CHECK(lease.published_generation("MEMORY.md").value() == std::nullopt);
  CHECK(lease.publish_under(publication(1), nothing).value() == Verdict::published);
}

TEST_CASE("while one publishes, the next is told busy and by whom, and takes nothing") {
  LeaseBench bench;
  Lease lease = bench.taken({kLeaseTime, {}, 0, "daybook watch"});
  bench.clock.now += 60'000;  // over, so that only the transaction keeps others out
  std::string answer;
  const auto verdict = lease.publish_under(publication(1), [&]() -> Result<void> {
    answer = run_in_child([&]() -> std::string {
               const auto next = Lease::acquire(bench.folder, bench.clock);
               return next ? "taken" : next.error().message;
             }).answer;
    return {};
  });
  CHECK(verdict.value() == Verdict::published);
  CHECK(answer.find("pid " + std::to_string(::getpid()) + " (daybook watch)") != std::string::npos);
}

TEST_CASE("a deleted, emptied, cut or foreign lease.db stands in nobody's way") {
  LeaseBench bench;
  std::int64_t floor = 0;
  {
    Lease lease = bench.taken();
    floor = lease.fence();
    REQUIRE(lease.publish_under(publication(3), nothing));
  }
  bool damage = true;
  SECTION("deleted") {
    fs::remove(bench.database());
    damage = false;
  }
  SECTION("emptied") {
    fs::resize_file(bench.database(), 0);
    damage = false;
  }
  SECTION("cut in the first page") { fs::resize_file(bench.database(), 1000); }
  SECTION("cut in a later page") { fs::resize_file(bench.database(), 5000); }
  SECTION("another program's") { std::ofstream(bench.database()) << "something else entirely"; }
  const Lease lease = bench.taken({kLeaseTime, {}, floor, "test"});
  CHECK(lease.fence() > floor);
  CHECK(lease.set_aside() == (damage ? bench.database() + ".set-aside-1" : ""));
  CHECK(fs::exists(bench.database() + ".set-aside-1") == damage);
}

TEST_CASE("no flipped bit of lease.db keeps the next one from publishing") {
  LeaseBench bench;
  {
    Lease lease = bench.taken();
    REQUIRE(lease.publish_under(publication(3), nothing));
  }
  const std::string whole = bench.temp.read("state/lease.db");
  REQUIRE(whole.size() > 4096);
  std::size_t set_aside = 0;
  // The whole header, and of the rest every 29th byte that holds something.
  constexpr std::size_t kHeader = 100;
  std::size_t filled = 0;
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    if (offset >= kHeader && (whole[offset] == 0 || ++filled % 29 != 0)) {
      continue;
    }
    const unsigned bit = static_cast<unsigned>(offset % 8);
    CAPTURE(offset, bit);
    for (const auto& entry : fs::directory_iterator(bench.folder.path())) {
      if (entry.path().filename().string().starts_with("lease.db")) {
        fs::remove(entry.path());
      }
    }
    bench.temp.write("state/lease.db", whole);
    flip_bit(bench.database(), offset, bit);
    auto lease = Lease::acquire(bench.folder, bench.clock, {kLeaseTime, {}, 50, "test"});
    INFO((lease ? "" : lease.error().message));
    REQUIRE(lease);
    CHECK(lease->fence() == 51);
    CHECK(lease->publish_under(publication(4), nothing).value() == Verdict::published);
    set_aside += lease->set_aside().empty() ? 0U : 1U;
  }
  CHECK(set_aside > 20);
}

TEST_CASE("a time or a generation that no one wrote counts as damage") {
  LeaseBench bench;
  Lease holder = bench.taken();
  REQUIRE(holder.publish_under(publication(3), nothing));
  const std::string change = GENERATE(as<std::string>(),
                                      "UPDATE lease SET expires_at = expires_at + (1 << 50)",
                                      "UPDATE published SET generation = generation + (1 << 50)");
  CAPTURE(change);
  {
    auto database = store::Database::open(bench.database());
    REQUIRE(database->execute(change));
  }
  bench.clock.now += 60'000;
  auto next = Lease::acquire(bench.folder, bench.clock, {kLeaseTime, {}, holder.fence(), "next"});
  REQUIRE(next);
  CHECK_FALSE(next->set_aside().empty());
  CHECK(next->fence() > holder.fence());
  CHECK(next->publish_under(publication(4), nothing).value() == Verdict::published);
  int renamed = 0;
  const auto late = holder.publish_under(publication(5), [&renamed]() -> Result<void> {
    ++renamed;
    return {};
  });
  CHECK((!late || *late == Verdict::superseded));
  CHECK(renamed == 0);
}

TEST_CASE("a holder whose lease.db was taken away publishes nothing any more") {
  LeaseBench bench;
  Lease old = bench.taken();
  SECTION("deleted, with its companions left") { fs::remove(bench.database()); }
  SECTION("deleted altogether") {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      fs::remove(bench.database() + suffix);
    }
  }
  CHECK(old.publish_under(publication(9), nothing).value() == Verdict::superseded);
  Lease next = bench.taken();
  CHECK(next.publish_under(publication(1), nothing).value() == Verdict::published);
  CHECK(old.publish_under(publication(9), nothing).value() == Verdict::superseded);
  CHECK_FALSE(old.renew());
  CHECK(next.renew());
}

TEST_CASE("a desk that stays open takes the lease again, whatever others have done between") {
  LeaseBench bench;
  LeaseDesk desk(bench.folder, bench.clock, LeaseKeeping::between);
  std::int64_t fence = 0;
  {
    auto lease = desk.acquire();
    REQUIRE(lease);
    fence = lease->fence();
    REQUIRE(lease->publish_under(publication(5), nothing).value() == Verdict::published);
    CHECK(Lease::acquire(bench.folder, bench.clock).error().kind == ErrorKind::busy);
  }
  {
    Lease other = bench.taken();
    CHECK(other.fence() == fence + 1);
    const auto refused = desk.acquire();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::busy);
    REQUIRE(other.publish_under(publication(7), nothing).value() == Verdict::published);
  }
  {
    auto lease = desk.acquire();
    REQUIRE(lease);
    CHECK(lease->fence() == fence + 2);
    CHECK(lease->published_generation("MEMORY.md").value() == 7);
    CHECK(lease->publish_under(publication(6), nothing).value() == Verdict::superseded);
  }
  SECTION("also when lease.db was deleted") {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      fs::remove(bench.database() + suffix);
    }
    auto lease = desk.acquire({kLeaseTime, {}, 50, "test"});
    REQUIRE(lease);
    CHECK(lease->fence() == 51);
    CHECK(fs::exists(bench.database()));
  }
  SECTION("and when a row makes no sense, with a new one") {
    auto database = store::Database::open(bench.database());
    REQUIRE(database->execute("UPDATE lease SET fence = 12345"));
    auto lease = desk.acquire({kLeaseTime, {}, 50, "test"});
    REQUIRE(lease);
    CHECK(lease->fence() == 51);
    CHECK_FALSE(lease->set_aside().empty());
  }
  SECTION("but not when a newer program has taken lease.db over meanwhile") {
    auto database = store::Database::open(bench.database());
    REQUIRE(database->execute(
        "PRAGMA user_version = 99; UPDATE meta SET value = '99' WHERE name = 'schema'"));
    const auto refused = desk.acquire();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::usage);
  }
  SECTION("and made anew by somebody else, whose rows it then sees") {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      fs::remove(bench.database() + suffix);
    }
    Lease other = bench.taken({kLeaseTime, {}, 80, "other"});
    CHECK_FALSE(desk.acquire());
    REQUIRE(other.release());
    auto lease = desk.acquire();
    REQUIRE(lease);
    CHECK(lease->fence() == 82);
  }
}

TEST_CASE("a lease.db of a newer program is left alone with a clear error") {
  LeaseBench bench;
  bench.taken();
  auto database = store::Database::open(bench.database());
  REQUIRE(database->execute(
      "PRAGMA user_version=99; UPDATE meta SET value = '99' WHERE name = 'schema'"));
  const auto refused = Lease::acquire(bench.folder, bench.clock);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::usage);
}

TEST_CASE("the machine's own clock counts on and knows its start") {
  const SystemBootClock clock;
  const std::int64_t first = clock.now_ms();
  CHECK(first > 0);
  CHECK(clock.now_ms() >= first);
#ifdef __linux__
  CHECK(clock.boot_id().size() == 36);
#endif
}
