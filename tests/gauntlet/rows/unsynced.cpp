// SPDX-License-Identifier: MIT
//
// The power goes, and the disk has exactly what it was made to have: of each file the bytes at its
// last fsync, of each folder the names at its last fsync. A real disk nearly always has more, which
// is why a missing fsync is seldom seen in "power-cut"; here it is seen at once. Or the disk has a
// part of the rest: all names, all bytes, or every second page. At every call by which files
// change, and after the answer.
#include "gauntlet/rows/operation_trials.hpp"

#include <optional>
#include <set>

namespace daybook::gauntlet {
namespace {

using faults::Fault;
using faults::FaultMode;
using faults::Survivors;

// Digits of a number: operation, call (0: after the answer), what survives.
constexpr std::uint64_t kOfCall = 10;
constexpr std::uint64_t kOfOperation = 100'000 * kOfCall;
constexpr std::uint64_t kSurvivors = 4;

/// A database that has just got its name may not have its bytes; and when a note or a journal has
/// gone, the disk must know why: what was written down before must be there, or what has gone
/// comes back and undoes it.
std::optional<Survivors> telling_after(const faults::Call& call) {
  if (call.kind == "rename" && call.path.ends_with(".db")) {
    return Survivors::synced_and_some;
  }
  const bool tells = call.path.ends_with(".md") || call.path.ends_with("-journal");
  return call.kind.starts_with("unlink") && tells ? std::optional(Survivors::synced) : std::nullopt;
}

class UnsyncedTrials final : public OperationTrials {
 public:
  std::vector<std::uint64_t> list(Calls which) override {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < operations().size(); ++i) {
      std::set<std::uint64_t> calls{0};
      const std::vector<faults::Call> all = bench(i).calls();
      for (const faults::Call& call : of(all, which)) {
        calls.insert(static_cast<std::uint64_t>(call.number));
      }
      for (const faults::Call& call : faults::sites(all)) {
        const auto survivors = telling_after(call);
        if (survivors && static_cast<std::size_t>(call.number) < all.size()) {
          const auto next = static_cast<std::uint64_t>(call.number) + 1;
          calls.insert(next);
          telling_.insert(i * kOfOperation + next * kOfCall +
                          static_cast<std::uint64_t>(*survivors));
        }
      }
      for (const std::uint64_t call : calls) {
        for (std::uint64_t survivors = 0; survivors < kSurvivors; ++survivors) {
          numbers.push_back(i * kOfOperation + call * kOfCall + survivors);
        }
      }
    }
    return numbers;
  }

  /// After the answer: only then is all of it promised. And right after some calls.
  [[nodiscard]] bool says_most(std::uint64_t number) const override {
    return number % kOfOperation / kOfCall == 0 || telling_.contains(number);
  }

  Complaints run(std::uint64_t number) override {
    const auto call = static_cast<int>(number % kOfOperation / kOfCall);
    const Fault fault{call == 0 ? FaultMode::count : FaultMode::kill_before, call};
    const std::size_t operation = number / kOfOperation;
    return told(operation,
                fault,
                bench(operation).powerless(fault, static_cast<Survivors>(number % kOfCall)));
  }

 private:
  std::set<std::uint64_t> telling_;
};

}  // namespace

Row unsynced() {
  return {"unsynced",
          "the power goes, all that was not synced is lost",
          "L C T A",
          150,
          kEvery,
          [] { return std::make_unique<UnsyncedTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
