// SPDX-License-Identifier: MIT
//
// A vault whose sessions follow from a seed, with passes over it in this process, and the judge of
// what the passes have made. One thread.
#pragma once

#include "gauntlet/row.hpp"
#include "support/indexed_vault.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace daybook::gauntlet {

class RandomVault : public support::IndexedVault {
 public:
  explicit RandomVault(std::uint64_t seed) : random_(seed) {}

  /// 0 … count-1.
  std::uint64_t below(std::uint64_t count) { return random_() % count; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  template <typename T>
  const T& one_of(const std::vector<T>& all) {
    return all.at(below(all.size()));
  }
  std::mt19937_64& random() { return random_; }

  /// Words of everyday, in lines; the same ones often.
  std::string prose(std::size_t words);
  /// A session of one of two agents, in the last forty days, with links, sealed or not.
  support::SessionFiles session(int number);
  /// Adds so many, numbered from `first` on.
  std::vector<support::SessionFiles> add_sessions(int count, int first = 0);
  /// Ordinary notes of a person beside them.
  void add_notes();
  /// What a thorough doctor can mend.
  void treat();

 private:
  std::mt19937_64 random_;
};

/// Rows, every projection, and what a few searches find.
std::string everything(const support::IndexedVault& vault);

/// C: what is derived is deleted and made anew, and must be what it was.
void judge_rebuild(support::IndexedVault& vault, Complaints& complaints);

/// T: no byte of it in the state folder, in MEMORY.md or in what a search finds.
void judge_gone(const support::IndexedVault& vault,
                const std::string& word,
                Complaints& complaints);

/// The name of each file below a folder -> its bytes, raw.
std::map<std::string, std::string> bytes_below(const std::string& folder);

}  // namespace daybook::gauntlet
