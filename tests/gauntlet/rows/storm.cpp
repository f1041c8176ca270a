// SPDX-License-Identifier: MIT
//
// Files and folders made, moved, renamed and deleted as fast as the disk allows, memory/ itself
// among them, over a running service with the real watcher and without its timer: after quiet, rows
// and MEMORY.md are those of a rebuild. And the same with a watcher that lies, and with the timer:
// one sweep sets it right.
#include "daemon/storm.hpp"

#include "daemon/lying_source.hpp"
#include "daemon/watched_vault.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "gauntlet/rows/watchful_reader.hpp"

#include <array>
#include <cmath>

namespace daybook::gauntlet {
namespace {

using daemon::Lie;
using daemon::WatchedVault;

constexpr std::size_t kStormsOfACommit = 30;
// Storms of these numbers are long; those of the nights are.
constexpr std::uint64_t kLongFrom = 1'000'000;
constexpr int kOperations = 300;
constexpr int kOperationsOfALong = 1'000;
constexpr int kOperationsOfALiar = 100;
constexpr double kSoonSeconds = 5;

class StormTrials : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    WatchedVault watched("watch:\n  settle_ms: 100\n  longest_ms: 1000\n  sweep_seconds: 3600\n");
    watched.vault().add(flow::session(0, flow::Naming::by_path));
    watched.start();
    return rage(watched, number, number >= kLongFrom ? kOperationsOfALong : kOperations);
  }

  std::vector<std::uint64_t> numbers(std::optional<std::uint64_t> first,
                                     std::size_t most) override {
    const bool of_a_night = !first && most > kStormsOfACommit;
    return Trials::numbers(of_a_night ? kLongFrom : first, most);
  }

 protected:
  Complaints rage(WatchedVault& watched, std::uint64_t seed, int operations) {
    WatchfulReader reader(watched.vault().workspace(), Reads::memory_md);
    daemon::Storm(watched.vault(), seed).rage(operations);
    const base::Stopwatch quiet;
    const bool equal = watched.equals_rebuild();
    count_most("ms to equal a rebuild", static_cast<std::uint64_t>(quiet.seconds() * 1000));
    count("later than 5 s", quiet.seconds() > kSoonSeconds ? 1 : 0);
    Complaints complaints = reader.stop();
    count("reads", reader.reads());
    const daemon::Health health = watched.health();
    const std::string state = std::string(to_string(health.state)) + ", " +
                              std::to_string(health.queue) + " waiting, " +
                              std::to_string(health.sweeps) + " sweeps; " + health.last_error;
    if (!equal) {
      complaints.push_back("C: not as a rebuild (" + state + ")\n" + watched.difference());
    }
    if (health.failures > 0) {
      complaints.push_back("E: a pass failed (" + state + ")");
    }
    watched.stop();
    return complaints;
  }
};

class LiarTrials final : public StormTrials {
 public:
  Complaints run(std::uint64_t number) override {
    constexpr std::array kLies{Lie::drops_half, Lie::doubles, Lie::wrong_paths, Lie::deaf};
    daemon::LyingSource source(kLies.at(number % kLies.size()), number);  // outlives the service
    WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
    watched.vault().add(flow::session(0, flow::Naming::by_path));
    watched.start(source);
    return rage(watched, number, kOperationsOfALiar);
  }

  std::vector<std::uint64_t> numbers(std::optional<std::uint64_t> first,
                                     std::size_t most) override {
    return Trials::numbers(first, most);
  }
};

}  // namespace

Row storm() {
  return {"storm",
          "files and folders move faster than events",
          "C A",
          kStormsOfACommit,
          10'000,
          [] { return std::make_unique<StormTrials>(); },
          Place::disk};
}

Row liar() {
  return {"liar",
          "the watcher drops, doubles, misnames, is deaf",
          "C A",
          32,
          5'000,
          [] { return std::make_unique<LiarTrials>(); },
          Place::disk};
}

}  // namespace daybook::gauntlet
