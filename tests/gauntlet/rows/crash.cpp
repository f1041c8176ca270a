// SPDX-License-Identifier: MIT
//
// The program is ended, without any cleaning up, before and after the calls by which it changes
// files; then a pass runs, which may be ended as well. A trial's number holds operation, call and
// moment, and so stays the same however many calls an operation has.
#include "gauntlet/rows/operation_trials.hpp"

namespace daybook::gauntlet {
namespace {

using faults::Fault;
using faults::FaultMode;

// Digits of a number: operation, call, moment.
constexpr std::uint64_t kOfCall = 2;
constexpr std::uint64_t kOfOperation = 100'000 * kOfCall;

class CrashTrials final : public OperationTrials {
 public:
  std::vector<std::uint64_t> list(Calls which) override {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < operations().size(); ++i) {
      for (const faults::Call& call : of(bench(i).calls(), which)) {
        const auto at = static_cast<std::uint64_t>(call.number);
        numbers.push_back(i * kOfOperation + at * kOfCall);
        numbers.push_back(i * kOfOperation + at * kOfCall + 1);
      }
    }
    return numbers;
  }

  Complaints run(std::uint64_t number) override {
    const Fault fault{number % kOfCall == 0 ? FaultMode::kill_before : FaultMode::kill_after,
                      static_cast<int>(number % kOfOperation / kOfCall)};
    const std::size_t operation = number / kOfOperation;
    return told(operation, fault, bench(operation).killed(fault));
  }
};

// Digits of a number: operation, call of the operation, call of the pass.
constexpr std::uint64_t kOfFirst = 10'000;
constexpr std::uint64_t kOfFirstOperation = 10'000 * kOfFirst;
constexpr std::size_t kFewFirstCalls = 4;

class SecondCrashTrials final : public OperationTrials {
 public:
  std::vector<std::uint64_t> list(Calls which) override {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < operations().size(); ++i) {
      // Each first call costs a run to learn the calls of the pass behind it.
      std::vector<faults::Call> firsts = faults::sites(bench(i).calls());
      if (which == Calls::sites && firsts.size() > kFewFirstCalls) {
        firsts = faults::evenly(firsts, kFewFirstCalls);
      }
      for (const faults::Call& first : firsts) {
        const Fault fault{FaultMode::kill_before, first.number};
        for (const faults::Call& second : of(bench(i).calls_of_recovery(fault), which)) {
          numbers.push_back(i * kOfFirstOperation +
                            static_cast<std::uint64_t>(first.number) * kOfFirst +
                            static_cast<std::uint64_t>(second.number));
        }
      }
    }
    return numbers;
  }

  Complaints run(std::uint64_t number) override {
    const Fault first{FaultMode::kill_before,
                      static_cast<int>(number % kOfFirstOperation / kOfFirst)};
    const Fault second{FaultMode::kill_before, static_cast<int>(number % kOfFirst)};
    const std::size_t operation = number / kOfFirstOperation;
    return told(operation, first, bench(operation).killed_twice(first, second));
  }
};

}  // namespace

Row crash() {
  return {"crash",
          "ended at a call that changes files",
          "L C T A",
          240,
          kEvery,
          [] { return std::make_unique<CrashTrials>(); },
          Place::memory};
}

Row second_crash() {
  return {"second-crash",
          "and again while it recovers",
          "L C T A",
          80,
          kEvery,
          [] { return std::make_unique<SecondCrashTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
