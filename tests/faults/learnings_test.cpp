// SPDX-License-Identifier: MIT
//
// Remembering, revoking and forgetting, ended at each call by which a file changes. The gauntlet
// takes some of these calls from all operations; these are few, and each is tried here.
#include "faults/operations.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

namespace daybook::faults {
namespace {

void end_at_each_change(const Operation& operation, std::size_t every) {
  const Bench bench(operation);
  const std::size_t calls = bench.calls().size();
  REQUIRE(calls > 0);
  for (std::size_t call = 1; call <= calls; call += every) {
    for (const FaultMode mode : {FaultMode::kill_before, FaultMode::kill_after}) {
      const Complaints complaints = bench.killed({mode, static_cast<int>(call)});
      CAPTURE(operation.name, call, complaints);
      CHECK(complaints.empty());
    }
  }
}

}  // namespace

TEST_CASE("What is remembered is there whole or not at all, wherever the program ends") {
  end_at_each_change(remembering(), 9);
}

TEST_CASE("What is forgotten is gone after the next pass, wherever the program ends") {
  end_at_each_change(forgetting(), 7);
}

TEST_CASE("What is revoked counts no longer after the next pass, wherever the program ends") {
  end_at_each_change(revoking(), 9);
}

}  // namespace daybook::faults
