// SPDX-License-Identifier: MIT
//
// Somebody sets the wall clock, by an hour or by forty days, forwards and back, to a leap day or
// the last seconds of a month, at random moments of a running service or between the passes of
// commands. MEMORY.md is what the files give at that clock, or stays as it is while the clock is
// more than a day behind the last publication; and there is one writer, whose generations and
// fences only grow.
#include "cli/served_vault.hpp"
#include "daybook/store/database.hpp"
#include "faults/vault_end.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "gauntlet/rows/rebuilt.hpp"
#include "gauntlet/rows/watchful_reader.hpp"
#include "support/eventually.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace daybook::gauntlet {
namespace {

using std::chrono::milliseconds;
using support::eventually;
using test::ServedVault;

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr int kSessions = 10;
constexpr int kNearSessions = 10;
constexpr int kJumps = 4;
constexpr std::array kBegins{"2026-03-30T12:00:00.000Z",
                             "2028-02-29T23:59:57.000Z",
                             "2028-03-01T00:00:00.000Z",
                             "2027-12-31T23:59:58.500Z",
                             "2026-04-30T23:59:59.000Z"};

std::int64_t system_ms() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// The wall clock of the service, by the library that is preloaded into it.
class SetClock {
 public:
  SetClock(const ServedVault& vault, std::int64_t now_ms) : vault_(vault) { set(now_ms); }

  [[nodiscard]] std::int64_t now_ms() const {
    return stands_still_ ? stands_at_ : system_ms() + offset_;
  }
  /// From now on it only jumps: for passes, each of which has one time.
  void stand_still() {
    stands_at_ = now_ms();
    stands_still_ = true;
  }
  [[nodiscard]] bool stands_still() const { return stands_still_; }
  /// Of this clock against the machine's.
  [[nodiscard]] std::int64_t offset() const { return offset_; }
  void set(std::int64_t now_ms) {
    stands_at_ = now_ms;
    offset_ = now_ms - system_ms();
    std::string bytes(sizeof offset_, '\0');
    std::memcpy(bytes.data(), &offset_, sizeof offset_);
    // In place: whoever has mapped the file sees the new one.
    const int fd = ::open(path().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const bool written = ::pwrite(fd, bytes.data(), bytes.size(), 0) == sizeof offset_;
    ::close(fd);
    if (!written) {
      throw std::runtime_error("the clock cannot be set");
    }
  }
  [[nodiscard]] std::vector<std::string> environment() const {
    return {std::string("LD_PRELOAD=") + DAYBOOK_CLOCK_SHIM,
            "ASAN_OPTIONS=verify_asan_link_order=0:exitcode=99",
            "DAYBOOK_TEST_CLOCK=" + path()};
  }

 private:
  [[nodiscard]] std::string path() const { return vault_.place().at("clock"); }

  const ServedVault& vault_;
  std::int64_t offset_ = 0;
  std::int64_t stands_at_ = 0;
  bool stands_still_ = false;
};

/// What state.db says of publications.
struct Published {
  std::int64_t last_ms = 0;
  std::string flaw;  ///< of fences and generations
};

Published look_at_publications(const ServedVault& vault) {
  Published seen;
  auto database =
      store::Database::open(vault.state() + "/state.db", {store::Access::read_only, 5000});
  if (!database) {
    return seen;
  }
  auto select = database->prepare(
      "SELECT generation, fence, published_at FROM publication"
      " WHERE published_at IS NOT NULL ORDER BY id");
  std::int64_t generation = 0;
  std::int64_t fence = 0;
  const auto read = select->each([&](const store::Row& row) {
    if (row.integer(0) < generation || row.integer(1) < fence) {
      seen.flaw = "generation " + std::to_string(row.integer(0)) + ", fence " +
                  std::to_string(row.integer(1)) + " after " + std::to_string(generation) + ", " +
                  std::to_string(fence);
    }
    generation = row.integer(0);
    fence = row.integer(1);
    seen.last_ms = row.integer(2);
  });
  return read ? seen : Published{};
}

class ClockTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    Dice dice(number);
    ServedVault vault;
    vault.set_patience(300);
    const std::int64_t begin =
        lineage::parse_timestamp(kBegins.at(number % kBegins.size())).value().ms;
    SetClock clock(vault, begin);
    // Without the timer: by then anybody would have noticed.
    vault.place().write("vault/daybook.yaml",
                        "watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 3600\n");
    for (int i = 0; i < kSessions; ++i) {
      add_session(vault, i, begin + dice.between(-80, 50) * kDay + dice.between(-12, 12) * kHour);
    }
    // So near that an hour or a night moves some of them.
    for (int i = 0; i < kNearSessions; ++i) {
      const std::int64_t near = begin + dice.between(-60, 60) * (i % 2 == 0 ? kMinute : kHour / 3);
      add_session(vault, 50 + i, dice.once_in(3) ? near - 30 * kDay : near);
    }
    // At the edges, to the millisecond.
    add_session(vault, 100, begin - 30 * kDay);
    add_session(vault, 101, begin - 30 * kDay + dice.between(1, 3000));
    add_session(vault, 102, begin + dice.between(1, 3000));
    Complaints complaints;
    WatchfulReader reader(vault.workspace(), Reads::memory_md);
    if (dice.once_in(4)) {
      jump_between_passes(vault, clock, dice, complaints);
    } else {
      jump_below_service(vault, clock, dice, complaints);
    }
    decide_by_hand(vault, clock, complaints);
    for (const std::string& complaint : reader.stop()) {
      complaints.push_back(complaint);
    }
    if (const std::string flaw = look_at_publications(vault).flaw; !flaw.empty()) {
      complaints.push_back("W: " + flaw);
    }
    judge_rebuild(vault, complaints);
    count("reads", reader.reads());
    return complaints;
  }

 private:
  static void add_session(const ServedVault& vault, int number, std::int64_t at_ms) {
    put_whole(vault,
              support::SessionFiles(
                  "default", "key-" + std::to_string(number), lineage::to_string({at_ms})));
  }

  /// To where the clock is set next.
  static std::int64_t jump(Dice& dice, std::int64_t now) {
    const std::array<std::int64_t, 8> ways{
        now + kHour,
        now - kHour,
        now + 40 * kDay,
        now - 40 * kDay,
        now - 20 * kHour,
        now + dice.between(4'000, 90'000),
        now - dice.between(4'000, 90'000),
        lineage::parse_timestamp(kBegins.at(dice.below(kBegins.size()))).value().ms};
    return ways.at(dice.below(ways.size()));
  }

  void jump_below_service(ServedVault& vault, SetClock& clock, Dice& dice, Complaints& complaints) {
    vault.set_now("");
    const auto outcome = vault.serve(
        [&](pid_t pid) {
          if (!eventually([&] { return vault.is_ready(); }, std::chrono::seconds(60), kAsk)) {
            complaints.emplace_back("E: the service does not get ready");
          }
          sweeps_before_ = sweeps(vault);
          noticed_offset_ = clock.offset();
          judge_now(vault, clock, complaints);
          for (int i = 0; i < kJumps && complaints.empty(); ++i) {
            if (dice.once_in(2)) {
              support::let_pass(milliseconds(dice.below(1500)));
            }
            set(vault, clock, jump(dice, clock.now_ms()));
            if (dice.once_in(3)) {
              add_session(vault, 200 + i, clock.now_ms() - dice.between(1, 40) * kHour);
            }
            if (dice.once_in(3)) {
              static_cast<void>(ask(vault, clock, {"reindex"}));  // a second writer
            }
            judge_now(vault, clock, complaints);
          }
          ::kill(pid, SIGTERM);
        },
        clock.environment());
    if (outcome.exit_code != 0) {
      complaints.push_back("E: the service ends otherwise, " + faults::ending(outcome));
    }
    if (!complaints.empty()) {
      complaints.push_back("the service said:\n" + outcome.err);
    }
  }

  void jump_between_passes(ServedVault& vault,
                           SetClock& clock,
                           Dice& dice,
                           Complaints& complaints) {
    clock.stand_still();
    static_cast<void>(ask(vault, clock, {"reindex"}));
    for (int i = 0; i < kJumps && complaints.empty(); ++i) {
      set(vault, clock, jump(dice, clock.now_ms()));
      if (dice.once_in(3)) {
        add_session(vault, 200 + i, clock.now_ms() - dice.between(1, 40) * kHour);
      }
      before_ = memory_md(vault);
      static_cast<void>(ask(vault, clock, {dice.once_in(2) ? "reindex" : "render"}));
      judge_now(vault, clock, complaints);
    }
  }

  void set(const ServedVault& vault, SetClock& clock, std::int64_t now_ms) {
    before_ = memory_md(vault);
    if (const auto now = sweeps(vault); now != sweeps_before_) {
      sweeps_before_ = now;
      noticed_offset_ = clock.offset();
    }
    clock.set(now_ms);
    count("jumps");
  }

  /// What the clock allows to be published, or what was there before.
  void judge_now(ServedVault& vault, const SetClock& clock, Complaints& complaints) {
    const std::int64_t last = look_at_publications(vault).last_ms;
    if (clock.now_ms() < last - kDay) {
      // Once every file was looked at, it would have been published.
      // Set and set back between two looks, it is where it was.
      constexpr std::int64_t kNoticedMs = 3000;
      const bool looked =
          clock.stands_still() || std::abs(clock.offset() - noticed_offset_) < kNoticedMs ||
          eventually(
              [&] { return sweeps(vault) != sweeps_before_; }, std::chrono::seconds(60), kAsk);
      count("frozen");
      if (!looked) {
        complaints.emplace_back("C: nobody notices that the clock was set");
      }
      // By its time: one that was under way when the clock was set is none of this clock's.
      if (memory_md(vault) != before_ && look_at_publications(vault).last_ms < last) {
        complaints.push_back("C: published although the clock is " +
                             std::to_string((last - clock.now_ms()) / kDay) + " days behind");
      }
      return;
    }
    std::string expected;
    const bool equal = eventually(
        [&] {
          expected = ask(vault, clock, {"render", "--stdout"}).out;
          return !expected.empty() && memory_md(vault) == expected;
        },
        std::chrono::seconds(60),
        kAsk);
    if (!equal) {
      complaints.push_back("C: at " + lineage::to_string({clock.now_ms()}) +
                           " MEMORY.md is not what the files give:" +
                           faults::difference(memory_md(vault), expected));
    }
  }

  /// A person says that the clock is right.
  void decide_by_hand(ServedVault& vault, const SetClock& clock, Complaints& complaints) {
    vault.set_now(lineage::to_string({clock.now_ms()}));
    if (const auto taken = vault.ask({"render", "--take-over"}); taken.exit_code != 0) {
      complaints.push_back("C: taking over fails, " + faults::ending(taken));
    }
    static_cast<void>(vault.ask({"reindex"}));
    if (vault.ask({"render", "--stdout"}).out != memory_md(vault)) {
      complaints.emplace_back("C: after taking over MEMORY.md is not what the files give");
    }
  }

  static support::ProgramOutcome ask(const ServedVault& vault,
                                     const SetClock& clock,
                                     std::vector<std::string> words) {
    words.insert(words.end(), {"--now", lineage::to_string({clock.now_ms()})});
    words.insert(words.end(), {"--workspace", vault.workspace(), "--state-dir", vault.state()});
    return test::run_daybook(std::move(words));
  }

  static std::string memory_md(const ServedVault& vault) {
    return faults::bytes_of(vault.workspace() + "/MEMORY.md");
  }

  /// -1: there is no service.
  static std::int64_t sweeps(const ServedVault& vault) {
    const nlohmann::json service = vault.service();
    return service.is_object() ? service["sweeps"].get<std::int64_t>() : -1;
  }

  static constexpr milliseconds kAsk{200};

  std::string before_;
  std::int64_t sweeps_before_ = 0;
  std::int64_t noticed_offset_ = 0;  // of the clock, when a sweep had come since it was set
};

}  // namespace

Row clock_jumps() {
  return {"clock",
          "the wall clock is set, forwards and back",
          "W C A",
          10,
          1'000,
          [] { return std::make_unique<ClockTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
