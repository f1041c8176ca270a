// SPDX-License-Identifier: MIT
//
// What the gauntlet's row "unsynced" has found: places where a power cut took back what had been
// told as done.
#include "faults/operations.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

namespace daybook::faults {
namespace {

const std::vector<Survivors> kAllSurvivors{
    Survivors::synced, Survivors::synced_and_names, Survivors::synced_and_bytes};

/// Where no inode's number is given twice.
void use_memory() { ::setenv("TMPDIR", "/dev/shm", 1); }  // NOLINT(concurrency-mt-unsafe)

bool is_end_of_journal(const Call& call) {
  return call.kind == "unlink" && call.path.find("/text/") != std::string::npos &&
         call.path.ends_with("-journal");
}

}  // namespace

TEST_CASE("What a removal has unlinked in the state folder does not come back by a power cut") {
  use_memory();
  const Bench bench(removal());
  for (const Survivors survivors : kAllSurvivors) {
    const auto complaints = bench.powerless({FaultMode::count}, survivors);
    CAPTURE(static_cast<int>(survivors), complaints);
    CHECK(complaints.empty());
  }
}

TEST_CASE("Full text that counts as made is not undone by a power cut") {
  use_memory();
  const Bench bench(arrival());
  const std::vector<Call> calls = bench.calls();
  REQUIRE(std::any_of(calls.begin(), calls.end(), is_end_of_journal));
  for (const Survivors survivors : kAllSurvivors) {
    const auto complaints = bench.powerless({FaultMode::count}, survivors);
    CAPTURE(static_cast<int>(survivors), complaints);
    CHECK(complaints.empty());
  }
}

}  // namespace daybook::faults
