// SPDX-License-Identifier: MIT
//
// import_bench DIR: how long the import of a made history of some 200 MB takes, with everything
// that makes it durable, against copying and syncing the same files by hand on as many threads. DIR
// must not exist yet, and lie on a real disk; it is removed at the end. Both in one run, turn
// about, each into a new folder; the medians count. Prints rows for scripts/bench; the second one
// holds the rate itself against the 50 MB/s that are asked for.
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/service/session_import.hpp"
#include "row.hpp"
#include "support/made_history.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace daybook;

constexpr int kRounds = 5;

template <typename T>
T must(Result<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message + " " + result.error().path);
  }
  return std::move(result).value();
}

service::ImportPlan plan_of(const std::string& home) {
  service::ImportRequest request;
  request.from = home;
  return must(service::plan_import(base::real_disk(), request, nullptr));
}

double import_seconds(const service::ImportPlan& plan, const std::string& place) {
  fs::create_directories(place + "/vault/memory");
  const auto folder = must(state::StateFolder::open(
      place + "/state", fs::canonical(place + "/vault").string(), state::Create::if_missing));
  const parse::Config config;
  service::WorkProgress progress;
  const base::Stopwatch stopwatch;
  const auto report = must(service::run_import(
      {base::real_disk(), folder, config, service::ModelUse::none, {base::SystemClock().now_ms()}},
      plan,
      progress));
  const double seconds = stopwatch.seconds();
  if (report.imported != plan.files) {
    throw std::runtime_error("not every session was imported");
  }
  return seconds;
}

void copy(const std::string& from, const std::string& to) {
  std::ifstream file(from, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!base::write_file_atomically(to, bytes, base::IfExists::keep)) {
    throw std::runtime_error("cannot write " + to);
  }
}

double copy_seconds(const service::ImportPlan& plan, const std::string& place) {
  fs::create_directories(place);
  std::vector<std::string> files;
  for (const auto& family : plan.families) {
    for (const auto& file : family) {
      files.push_back(plan.root + "/" + file.path);
    }
  }
  const base::Stopwatch stopwatch;
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
      threads.emplace_back([&] {
        for (std::size_t at = next++; at < files.size(); at = next++) {
          copy(files[at], place + "/" + std::to_string(at));
        }
      });
    }
  }
  return stopwatch.seconds();
}

void measure(const std::string& place) {
  support::HistoryPlan history;
  history.files = 800;
  history.result_bytes = 30'000;
  support::make_history(place + "/history", history);
  const auto plan = plan_of(place + "/history/claude");
  std::vector<double> imported;
  std::vector<double> copied;
  for (int round = 0; round < kRounds; ++round) {
    // New folders, none of them removed in between: inodes that were just freed slow ext4 down.
    const std::string name = place + "/" + std::to_string(round);
    copied.push_back(copy_seconds(plan, name + "-copy"));
    imported.push_back(import_seconds(plan, name));
  }
  std::vector<double> rates;
  rates.reserve(imported.size());
  for (const double seconds : imported) {
    rates.push_back(static_cast<double>(plan.bytes) / 1e6 / seconds);
  }
  const std::string work = bench::with_unit(bench::median(imported), "s");
  const std::string yardstick = bench::with_unit(bench::median(copied), "s");
  bench::print({"import / copy and fsync",
                "ratio",
                "<= 4",
                bench::ratios(imported, copied),
                work,
                yardstick,
                std::to_string(plan.files) + " files"});
  bench::print({"import", "MB/s", ">= 50", rates, work, yardstick, "of JSONL"});
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 || fs::exists(arguments[1])) {
    std::fputs("usage: import_bench DIR (that does not exist yet)\n", stderr);
    return 2;
  }
  int outcome = 0;
  try {
    measure(fs::absolute(arguments[1]).string());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "import_bench: %s\n", error.what());
    outcome = 1;
  }
  std::error_code ignored;
  fs::remove_all(arguments[1], ignored);
  return outcome;
}
