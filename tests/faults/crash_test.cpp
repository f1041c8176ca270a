// SPDX-License-Identifier: MIT
//
// The program is ended, without any cleaning up, before and after the calls by which it changes
// files; then a pass runs. DAYBOOK_FAULT_STEP=1 tries every call (scripts/faults).
#include "faults/expect.hpp"
#include "faults/operations.hpp"

namespace daybook::faults {
TEST_CASE("A removal that is killed at any call is finished or never began, and nothing is left") {
  expect_none(sweep_kills(removal()));
}

TEST_CASE("A pass that is killed at any call is made good by the next one") {
  expect_none(sweep_kills(reindexing()));
}

TEST_CASE("An acceptance that is killed at any call is done or not done") {
  expect_none(sweep_kills(acceptance()));
}

TEST_CASE("A removal is lifted whole or not at all when that is killed at any call") {
  expect_none(sweep_kills(unremoval()));
}

TEST_CASE("A session's end that is killed at any call is whole after a pass, or never began") {
  expect_none(sweep_kills(session_end()));
  expect_none(sweep_kills(resumed_session()));
}

TEST_CASE("A compaction that is killed at any call is whole after a pass, or never began") {
  expect_none(sweep_kills(compaction()));
}

TEST_CASE("What a hook left is captured or still there when draining is killed at any call") {
  expect_none(sweep_kills(draining()));
}

TEST_CASE("An import that is killed at any call leaves whole sessions, and the next one the rest") {
  expect_none(sweep_kills(import_of_claude()));
  expect_none(sweep_kills(import_of_codex()));
}

TEST_CASE("Killed again while it recovers, it recovers the next time") {
  expect_none(sweep_kills_of_recovery(removal()));
  expect_none(sweep_kills_of_recovery(reindexing()));
  expect_none(sweep_kills_of_recovery(resumed_session()));
  expect_none(sweep_kills_of_recovery(import_of_claude()));
}

}  // namespace daybook::faults
