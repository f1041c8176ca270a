// SPDX-License-Identifier: MIT
//
// A row of the scoreboard: one kind of fault, how often it is provoked, and who judges what is
// left.
//
//   L  what was acknowledged is there
//   C  rows, search results and MEMORY.md are those of a rebuild
//   T  removed text is in no byte
//   W  at most one writer of MEMORY.md, and its fences only grow
//   A  nobody ever sees a file that is torn or half made
//   E  an error says where and what to do, and is no crash
//
// A trial has a number, from which everything about it follows: for most rows the seed of its
// random choices, for those that go through a finite list the place in it. So a number repeats a
// trial.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace daybook::gauntlet {

/// What did not hold in one trial, each with the letter of its code before it. Empty: all held.
using Complaints = std::vector<std::string>;

/// This machine does not let the trial be made. Never thrown for what the program does.
class Skipped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr const char* kAtMost = " at most";

/// The trials of one row, in one process; what they share is made ready once.
class Trials {
 public:
  Trials() = default;
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;
  virtual ~Trials() = default;

  /// Which trials are made when `most` are wanted, beginning with that number if there is one.
  virtual std::vector<std::uint64_t> numbers(std::optional<std::uint64_t> first, std::size_t most);
  virtual Complaints run(std::uint64_t number) = 0;
  /// What was counted on the way, such as reads; sums over all processes are shown, and of names
  /// that end with kAtMost the largest.
  [[nodiscard]] virtual std::map<std::string, std::uint64_t> counts() const { return {}; }
};

/// For rows that go through a list: all of them, over and over if more are wanted, else some of
/// them, evenly.
std::vector<std::uint64_t> choose(const std::vector<std::uint64_t>& all,
                                  std::optional<std::uint64_t> first,
                                  std::size_t most);

/// As many as there are, once.
inline constexpr std::size_t kEvery = std::numeric_limits<std::size_t>::max();

enum class Place {
  disk,    ///< where what is called durable has to wait for it
  memory,  ///< where nothing waits, for rows that do not ask what a power cut leaves
};

struct Row {
  std::string name;    ///< for --only
  std::string fault;   ///< a few words
  std::string judged;  ///< the letters, such as "L C A"
  std::size_t per_commit = 0;
  std::size_t nightly = 0;
  std::function<std::unique_ptr<Trials>()> open;
  Place place = Place::disk;
  int patience_seconds = 120;  ///< for one trial, until it counts as hung
};

/// A row whose trials share nothing: the function gets the number.
std::function<std::unique_ptr<Trials>()> each(std::function<Complaints(std::uint64_t)> trial);

}  // namespace daybook::gauntlet
