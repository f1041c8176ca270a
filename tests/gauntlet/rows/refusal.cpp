// SPDX-License-Identifier: MIT
//
// A full disk, a broken one, a read-only one, no descriptors left, a call that is interrupted or
// does half: at the calls by which the program changes files, once and for ever. It says so, and
// when the trouble is over it gets to the same end.
#include "gauntlet/rows/operation_trials.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

namespace daybook::gauntlet {
namespace {

using faults::Fault;
using faults::FaultCalls;
using faults::FaultMode;

struct Trouble {
  FaultMode mode;
  int error;
  FaultCalls calls = FaultCalls::changes;
};

// The place in this list is part of a trial's number. No kernel interrupts every call for ever.
constexpr std::array kTroubles{
    Trouble{FaultMode::fail_once, ENOSPC},
    Trouble{FaultMode::fail_ever, ENOSPC},
    Trouble{FaultMode::fail_once, EIO},
    Trouble{FaultMode::fail_ever, EIO},
    Trouble{FaultMode::fail_once, EROFS},
    Trouble{FaultMode::fail_ever, EROFS},
    Trouble{FaultMode::fail_once, EMFILE, FaultCalls::opens},
    Trouble{FaultMode::fail_ever, EMFILE, FaultCalls::opens},
    Trouble{FaultMode::fail_once, EINTR},
    Trouble{FaultMode::short_write, 0},
};

// Digits of a number: operation, call, trouble.
constexpr std::uint64_t kOfCall = 100;
constexpr std::uint64_t kOfOperation = 100'000 * kOfCall;

bool can_meet(const Trouble& trouble, const faults::Call& call) {
  return trouble.mode != FaultMode::short_write || call.kind.find("write") != std::string::npos;
}

class RefusalTrials final : public OperationTrials {
 public:
  std::vector<std::uint64_t> list(Calls which) override {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < operations().size(); ++i) {
      const std::vector<faults::Call> changes = of(bench(i).calls(), which);
      const std::vector<faults::Call> opens = of(bench(i).calls(FaultCalls::opens), which);
      for (std::size_t trouble = 0; trouble < kTroubles.size(); ++trouble) {
        const bool of_opens = kTroubles[trouble].calls == FaultCalls::opens;
        for (const faults::Call& call : of_opens ? opens : changes) {
          if (can_meet(kTroubles[trouble], call)) {
            numbers.push_back(i * kOfOperation + static_cast<std::uint64_t>(call.number) * kOfCall +
                              trouble);
          }
        }
      }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  Complaints run(std::uint64_t number) override {
    const Trouble& trouble = kTroubles.at(number % kOfCall);
    const Fault fault{trouble.mode,
                      static_cast<int>(number % kOfOperation / kOfCall),
                      trouble.error,
                      trouble.calls};
    const std::size_t operation = number / kOfOperation;
    return told(operation, fault, bench(operation).refused(fault));
  }
};

}  // namespace

Row refusal() {
  return {"refusal",
          "a call is refused, once or for ever, or does half",
          "L C A E",
          280,
          kEvery,
          [] { return std::make_unique<RefusalTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
