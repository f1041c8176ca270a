// SPDX-License-Identifier: MIT
//
//   powercut [removals|captures|hooks] [CUTS] [--without-sync]
//
// The plug is pulled while sessions are removed, captured or left by hooks, one after the other. In
// what the disk has, everything that was acknowledged must be whole.
//
// With --without-sync no call that makes bytes durable does anything, and what was acknowledged
// must be lost: the proof that the trial would see it. Exit 0: all held; 1: not; 77: this machine
// allows no loop mounts (needs root).
#include "faults/power.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <utility>

namespace daybook::faults {
namespace {

constexpr int kSkipped = 77;
constexpr std::size_t kMostTold = 5;  // of a cut

void tell(int number, const PowerCut& cut) {
  for (std::size_t i = 0; i < std::min(cut.losses.size(), kMostTold); ++i) {
    std::printf("cut %d, after %zu: %s\n", number, cut.acknowledged, cut.losses[i].c_str());
  }
  if (cut.losses.size() > kMostTold) {
    std::printf("cut %d: and %zu more\n", number, cut.losses.size() - kMostTold);
  }
}

int run(const PowerWork& work, int cuts, Sync sync) {
  const PowerTrial trial(work, sync);
  if (!trial.prepare()) {
    std::puts("skipped: no ext4 image can be made and mounted here (needs root and loop devices)");
    return kSkipped;
  }
  std::mt19937_64 random(std::random_device{}());
  std::size_t sum = 0;
  int failed = 0;
  for (int number = 1; number <= cuts; ++number) {
    const PowerCut cut = trial.cut(random);
    sum += cut.acknowledged;
    failed += cut.losses.empty() ? 0 : 1;
    tell(number, cut);
  }
  std::printf(
      "%d cuts, %zu acknowledged %s, %d cuts with losses\n", cuts, sum, work.name.c_str(), failed);
  return (sync == Sync::real) == (failed == 0) ? 0 : 1;
}

}  // namespace
}  // namespace daybook::faults

int main(int argc, char** argv) {
  using namespace daybook::faults;
  int cuts = 3;
  Sync sync = Sync::real;
  try {
    PowerWork work = power_removals();
    for (int i = 1; i < argc; ++i) {
      const std::string_view word(argv[i]);
      if (word == "--without-sync") {
        sync = Sync::none;
      } else if (word == "captures") {
        work = power_captures();
      } else if (word == "hooks") {
        work = power_hooks();
      } else if (word != "removals") {
        cuts = std::max(1, std::atoi(argv[i]));
      }
    }
    return run(work, cuts, sync);
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
}
