// SPDX-License-Identifier: MIT
//
// `daybook import` that is ended on its way, at moments that nobody has chosen: the next run makes
// of it what an undisturbed one makes.
#include "cli/import_bench.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <thread>

namespace daybook::test {
namespace {

constexpr std::size_t kFiles = 160;

/// Waits until so many files are in memory/, then sends the signal.
void strike(const ImportBench& bench, pid_t process, std::size_t files, int signal) {
  const auto given_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (bench.memory_names().size() < files && std::chrono::steady_clock::now() < given_up &&
         ::kill(process, 0) == 0) {
    std::this_thread::yield();
  }
  ::kill(process, signal);
}

}  // namespace

TEST_CASE("an import that is killed again and again ends like one that was not") {
  const auto plan = small_plan(kFiles);
  const ImportBench calm(plan);
  calm.run({"import", "claude-code", calm.claude()});
  ImportBench rough(plan);
  std::size_t killed = 0;
  for (std::size_t round = 0; round < 6; ++round) {
    rough.set_now("2027-01-0" + std::to_string(2 + round) + "T00:00:00Z");
    auto program = rough.program({"import", "claude-code", rough.claude()});
    const std::size_t there = rough.memory_names().size();
    program.meanwhile = [&](pid_t process) {
      strike(rough, process, there + 7 + 13 * round, SIGKILL);
    };
    killed += support::run(program).signal == SIGKILL ? 1U : 0U;
    // What is there is whole: a pass finishes what a record in the spool promises.
    rough.run({"reindex"});
    CHECK(rough.findings().empty());
  }
  CHECK(killed > 2);
  const auto last = rough.json({"import", "claude-code", rough.claude()});
  INFO(last.dump(1));
  CHECK(last["failed"] == 0);
  CHECK(rough.findings().empty());
  auto expected = calm.memory_texts();
  auto found = rough.memory_texts();
  std::erase_if(found, [](const auto& entry) { return entry.first.starts_with("."); });
  CHECK(found == expected);
  CHECK(rough.json({"import", "claude-code", rough.claude()})["to_read"] == 0);
}

TEST_CASE("Ctrl-C ends an import between two files, and the next one goes on") {
  const ImportBench bench(small_plan(kFiles));
  auto program = bench.program({"--json", "import", "claude-code", bench.claude()});
  program.meanwhile = [&](pid_t process) { strike(bench, process, 9, SIGINT); };
  const auto stopped = support::run(program);
  INFO(stopped.err);
  CHECK(stopped.exit_code == 130);
  const auto answer = nlohmann::json::parse(stopped.out);
  CHECK(answer["interrupted"] == true);
  CHECK(answer["failed"] == 0);
  const auto done = answer["imported"].get<std::size_t>();
  CHECK(done >= 1);
  const auto rest = bench.json({"import", "claude-code", bench.claude()});
  CHECK(rest["unchanged"] == done);
  CHECK(rest["imported"] == bench.made_by("claude-code").size() - done);
  CHECK(bench.findings().empty());
}

}  // namespace daybook::test
