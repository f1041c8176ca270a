// SPDX-License-Identifier: MIT
//
// The plug is pulled while sessions are removed, captured or left by hooks, one after the other. In
// what the disk has, everything that was acknowledged must be whole.
//
// With DAYBOOK_WITHOUT_SYNC in the environment no call that makes bytes durable does anything, and
// the row must fail: the proof that it would see a loss.
#include "gauntlet/power/power_cut.hpp"

#include "gauntlet/rows.hpp"

#include <array>
#include <cstdlib>

namespace daybook::gauntlet {
namespace {

constexpr std::array kWorks{power_removals, power_captures, power_hooks};

Sync wished_sync() {
  return std::getenv("DAYBOOK_WITHOUT_SYNC") == nullptr  // NOLINT(concurrency-mt-unsafe)
             ? Sync::real
             : Sync::none;
}

/// The number gives the kind of work, and the moment.
class PowerCutTrials final : public Trials {
 public:
  explicit PowerCutTrials(FileSystem file_system) : file_system_(file_system) {}

  Complaints run(std::uint64_t number) override {
    std::mt19937_64 random(number);
    const PowerCut cut = prepared(number % kWorks.size()).cut(random);
    acknowledged_ += cut.acknowledged;
    return cut.complaints;
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const override {
    return {{"acknowledged", acknowledged_}};
  }

 private:
  const PowerTrial& prepared(std::size_t work) {
    std::unique_ptr<PowerTrial>& trial = prepared_.at(work);
    if (!trial) {
      auto made = std::make_unique<PowerTrial>(kWorks.at(work)(), file_system_, wished_sync());
      made->prepare();
      trial = std::move(made);
    }
    return *trial;
  }

  FileSystem file_system_;
  std::array<std::unique_ptr<PowerTrial>, kWorks.size()> prepared_;
  std::uint64_t acknowledged_ = 0;
};

Row power_cut_on(FileSystem file_system,
                 const std::string& name,
                 const std::string& fault,
                 std::size_t per_commit) {
  return {name, fault, "L C T A", per_commit, 1000, [file_system] {
            return std::make_unique<PowerCutTrials>(file_system);
          }};
}

}  // namespace

Row power_cut() { return power_cut_on(FileSystem::ext4, "power-cut", "power cut, on ext4", 12); }

Row power_cut_btrfs() {
  return power_cut_on(FileSystem::btrfs, "power-cut-btrfs", "the same on btrfs", 0);
}

Row power_cut_xfs() { return power_cut_on(FileSystem::xfs, "power-cut-xfs", "the same on xfs", 0); }

}  // namespace daybook::gauntlet
