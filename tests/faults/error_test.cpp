// SPDX-License-Identifier: MIT
//
// A full disk, a broken one, a read-only one, no descriptors left: at the calls by which the
// program changes files, once and for ever. It says so, and when the trouble is over it gets to the
// same end. DAYBOOK_FAULT_STEP=1 tries every call (scripts/faults).
#include "faults/expect.hpp"
#include "faults/operations.hpp"

#include <cerrno>

namespace daybook::faults {
TEST_CASE("A removal that is refused at any call says so, and gets to its end later") {
  expect_none(sweep_errors(removal()));
}

TEST_CASE("A pass that is refused at any call says so, and gets to its end later") {
  expect_none(sweep_errors(reindexing()));
}

TEST_CASE("An acceptance that is refused at any call says so, and gets to its end later") {
  expect_none(sweep_errors(acceptance()));
}

TEST_CASE("The lifting of a removal that is refused says so, and gets to its end later") {
  expect_none(sweep_errors(unremoval()));
}

TEST_CASE("A session's end that is refused at any call says so, and gets to its end later") {
  expect_none(sweep_errors(session_end()));
  expect_none(sweep_errors(resumed_session()));
}

TEST_CASE("A compaction that is refused at any call says so, and gets to its end later") {
  expect_none(sweep_errors(compaction()));
}

TEST_CASE("Draining that is refused at any call says so, and loses nothing from the spool") {
  expect_none(sweep_errors(draining()));
}

TEST_CASE("An import that is refused at any call says so, and the next one gets to its end") {
  expect_none(sweep_errors(import_of_claude()));
  expect_none(sweep_errors(import_of_codex()));
}

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
