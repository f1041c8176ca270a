// SPDX-License-Identifier: MIT
//
// What the gauntlet's row of refusals cannot say, since it goes through all calls alike: which code
// the program ends with.
#include "faults/operations.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace daybook::faults {
namespace {

/// Of three notes: 5, 6 and 7.
Operation of_notes(std::vector<std::string> arguments) {
  const auto prepare = [](Bench& bench) {
    for (const std::string name : {"5-a.md", "6-b.md", "7-c.md"}) {
      bench.place().write("live/vault/memory/learnings/" + name,
                          "---\nlearning_kind: fact\n---\nThis is " + name + ".\n");
    }
    bench.run({"reindex"});
  };
  return {"notes", prepare, std::move(arguments)};
}

/// Of the file of one note the first change, which is that it is unlinked.
Fault failing_once(const std::string& name) {
  return {FaultMode::fail_once, 1, EIO, FaultCalls::changes, "learnings/" + name};
}

bool has(const Bench& bench, const std::string& name) {
  return std::filesystem::exists(bench.vault() + "/memory/learnings/" + name);
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("A note that the pass has finished forgetting is told as forgotten") {
  const Bench bench(of_notes({"learnings", "forget", "6", "--reason", "stale", "--yes"}));
  const auto done = bench.answer_to(failing_once("6-b.md"));
  INFO(done.err);
  CHECK(done.exit_code == 0);
  CHECK(says(done.err, "the pass that followed finished it"));
  CHECK(says(done.out, "Forgot 6."));
  CHECK_FALSE(has(bench, "6-b.md"));
}

TEST_CASE("Clearing that fails at the last note has cleared all when the pass has finished it") {
  const Bench bench(of_notes({"learnings", "clear", "--force"}));
  const auto done = bench.answer_to(failing_once("7-c.md"));
  INFO(done.err);
  CHECK(done.exit_code == 0);
  CHECK(says(done.err, "the pass that followed finished it"));
  CHECK(says(done.out, "Forgot 3 notes"));
  CHECK_FALSE(has(bench, "7-c.md"));
}

TEST_CASE("Clearing that fails before the last note names what is left") {
  const Bench bench(of_notes({"learnings", "clear", "--force"}));
  const auto done = bench.answer_to(failing_once("6-b.md"));
  INFO(done.err);
  CHECK(done.exit_code > 1);
  CHECK(says(done.err, "forgot 1 of 3, then failed at the note 6"));
  CHECK(says(done.err, "finished all but:\n  memory/learnings/7-c.md\n"));
  CHECK_FALSE(has(bench, "6-b.md"));
  CHECK(has(bench, "7-c.md"));
}

TEST_CASE("What fails for good is told as failed, by the note that is left") {
  const Bench bench(of_notes({"learnings", "forget", "6", "--reason", "stale", "--yes"}));
  Fault fault = failing_once("6-b.md");
  fault.mode = FaultMode::fail_ever;
  const auto done = bench.answer_to(fault);
  INFO(done.err);
  CHECK(done.exit_code > 1);
  CHECK(says(done.err, "index and MEMORY.md could not follow"));
  CHECK(has(bench, "6-b.md"));
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
