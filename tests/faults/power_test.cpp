// SPDX-License-Identifier: MIT
//
// What the gauntlet's row "unsynced" has found: places where a power cut took back what had been
// told as done.
#include "faults/operations.hpp"

#include <catch2/catch.hpp>

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

/// Of the calls behind that one: is the folder synced before the index is told?
bool is_folder_synced_next(const std::vector<Call>& calls, const Call& journal) {
  for (const Call& call : calls) {
    if (call.number <= journal.number) {
      continue;
    }
    if (call.kind.find("sync") != std::string::npos && call.path.ends_with("/text")) {
      return true;
    }
    if (call.path.find("/index.db") != std::string::npos) {
      return false;
    }
  }
  return false;
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
  const Bench bench(draining());
  const std::vector<Call> calls = bench.calls();
  int journals = 0;
  for (const Call& call : calls) {
    if (!is_end_of_journal(call)) {
      continue;
    }
    ++journals;
    // Nothing that is put back here can show it: files then have other times, and so are made anew.
    CHECK(is_folder_synced_next(calls, call));
    // Once the index has been told, which is one of the next calls.
    for (int later = 1; later <= 12; later += 4) {
      const Fault fault{FaultMode::kill_before, call.number + later};
      const auto complaints = bench.powerless(fault, Survivors::synced_and_bytes);
      CAPTURE(fault.to_text(), complaints);
      CHECK(complaints.empty());
    }
  }
  CHECK(journals > 0);
}

}  // namespace daybook::faults
