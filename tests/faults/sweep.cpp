// SPDX-License-Identifier: MIT
#include "faults/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

namespace daybook::faults {
namespace {

// So many calls of a row without DAYBOOK_FAULT_STEP. A sanitizer makes every start of the program
// ten times as long, and looks for other mistakes.
std::size_t few(std::size_t plain) { return support::is_sanitized() ? plain / 8 + 1 : plain; }
const std::size_t kKills = few(20);
const std::size_t kFirstKills = few(4);
const std::size_t kSecondKills = few(3);
const std::size_t kErrors = few(8);

struct Trial {
  std::string label;
  std::function<Complaints(const Bench&)> run;
};

std::string label_of(const Fault& fault, const std::vector<Call>& calls) {
  const auto at = static_cast<std::size_t>(fault.at) - 1;
  return fault.to_text() +
         (at < calls.size() ? " (" + calls[at].kind + " " + calls[at].path + ")" : "");
}

/// Takes trials until none is left. Every worker has the whole list.
void work(const Bench& bench,
          const std::vector<Trial>& trials,
          std::atomic<std::size_t>& next,
          const std::function<void(std::string)>& fail) {
  for (std::size_t i = next++; i < trials.size(); i = next++) {
    for (const std::string& complaint : trials[i].run(bench)) {
      fail(trials[i].label + "\n  " + complaint);
    }
  }
}

SweepReport carry_out(const Operation& operation,
                      const std::string& what,
                      const Bench& bench,
                      std::size_t calls,
                      const std::vector<Trial>& trials) {
  const auto began = std::chrono::steady_clock::now();
  SweepReport report{calls, trials.size(), {}};
  std::mutex mutex;
  const auto fail = [&](std::string text) {
    const std::lock_guard lock(mutex);
    report.failures.push_back(std::move(text));
  };
  std::atomic<std::size_t> next{0};
  std::thread other([&] {
    try {
      work(Bench(operation), trials, next, fail);
    } catch (const std::exception& error) {
      fail(error.what());
    }
  });
  work(bench, trials, next, fail);
  other.join();
  std::sort(report.failures.begin(), report.failures.end());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("%-12s %-18s %5zu calls %6zu trials %4zu failures %7.1f s\n",
              operation.name.c_str(),
              what.c_str(),
              calls,
              trials.size(),
              report.failures.size(),
              took.count());
  std::fflush(stdout);
  return report;
}

}  // namespace

SweepReport sweep_kills(const Operation& operation) {
  const Bench bench(operation);
  const std::vector<Call> calls = bench.calls();
  std::vector<Trial> trials;
  for (const int at : chosen_calls(calls, kKills)) {
    for (const FaultMode mode : {FaultMode::kill_before, FaultMode::kill_after}) {
      const Fault fault{mode, at};
      trials.push_back(
          {label_of(fault, calls), [fault](const Bench& own) { return own.killed(fault); }});
    }
  }
  return carry_out(operation, "killed", bench, calls.size(), trials);
}

SweepReport sweep_kills_of_recovery(const Operation& operation) {
  const Bench bench(operation);
  const std::vector<Call> calls = bench.calls();
  std::vector<Trial> trials;
  std::size_t count = 0;
  for (const int at : chosen_calls(calls, kFirstKills)) {
    const Fault first{FaultMode::kill_before, at};
    const std::vector<Call> again = bench.calls_of_recovery(first);
    count += again.size();
    for (const int second_at : chosen_calls(again, kSecondKills)) {
      const Fault second{FaultMode::kill_before, second_at};
      trials.push_back(
          {label_of(first, calls) + ", in the pass " + label_of(second, again),
           [first, second](const Bench& own) { return own.killed_twice(first, second); }});
    }
  }
  return carry_out(operation, "killed twice", bench, count, trials);
}

SweepReport sweep_errors(const Operation& operation) {
  const Bench bench(operation);
  std::vector<Trial> trials;
  const auto add = [&trials](const Fault& fault, const std::vector<Call>& calls) {
    trials.push_back(
        {label_of(fault, calls), [fault](const Bench& own) { return own.refused(fault); }});
  };
  const std::vector<Call> changes = bench.calls();
  const std::vector<Call> opens = bench.calls(FaultCalls::opens);
  for (const FaultMode mode : {FaultMode::fail_once, FaultMode::fail_ever}) {
    for (const int error : {ENOSPC, EIO, EROFS}) {
      for (const int at : chosen_calls(changes, kErrors)) {
        add({mode, at, error}, changes);
      }
    }
    for (const int at : chosen_calls(opens, kErrors)) {
      add({mode, at, EMFILE, FaultCalls::opens}, opens);
    }
  }
  for (const int at : chosen_calls(changes, kErrors)) {
    if (changes[static_cast<std::size_t>(at) - 1].kind.find("write") != std::string::npos) {
      add({FaultMode::short_write, at}, changes);
    }
  }
  return carry_out(operation, "refused", bench, changes.size() + opens.size(), trials);
}

}  // namespace daybook::faults
