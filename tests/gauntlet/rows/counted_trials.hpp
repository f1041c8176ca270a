// SPDX-License-Identifier: MIT
//
// What rows with seeds share: the random choices of a trial, and a record of what was counted on
// the way. One thread.
#pragma once

#include "gauntlet/row.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>

namespace daybook::gauntlet {

/// The same seed throws the same.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least) + 1));
  }
  /// Once in so many times.
  bool once_in(std::size_t count) { return below(count) == 0; }

 private:
  std::mt19937_64 random_;
};

class CountedTrials : public Trials {
 public:
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const override { return counts_; }

 protected:
  void count(const std::string& name, std::uint64_t value = 1) { counts_[name] += value; }
  /// The largest of all; its name has to end with kAtMost.
  void count_most(const std::string& name, std::uint64_t value) {
    std::uint64_t& most = counts_[name + kAtMost];
    most = std::max(most, value);
  }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace daybook::gauntlet
