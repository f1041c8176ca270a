// SPDX-License-Identifier: MIT
//
// What the gauntlet's row of refusals cannot say, since it goes through all calls alike: which code
// the program ends with.
#include "faults/operations.hpp"

#include <catch2/catch.hpp>

#include <cerrno>

namespace daybook::faults {

TEST_CASE("A removal is not called done while a copy that quotes it cannot be read or deleted") {
  const Operation operation = removal();
  const Bench bench(operation);
  for (const std::string place : {"/replaced", "/trash"}) {
    for (const FaultCalls calls : {FaultCalls::changes, FaultCalls::opens}) {
      const Fault fault{FaultMode::fail_ever, 1, EIO, calls, place};
      const auto complaints = bench.refused(fault);
      CAPTURE(place, complaints);
      CHECK(complaints.empty());
      CHECK(bench.answer_to(fault).exit_code == 5);
    }
  }
}

}  // namespace daybook::faults
