// SPDX-License-Identifier: MIT
// flood_bench PROGRAM FOLDER FILES: how long `PROGRAM watch` needs, after it has stood still, to
// take in so many files that came meanwhile: more than the kernel's queue of events holds. From
// going on until MEMORY.md names the newest of them, against reading the same files one after the
// other. Each run has a vault of its own in FOLDER, which must not exist; it is removed at the end.
// Prints a row for scripts/bench.
#include "row.hpp"
#include "vault_generator.hpp"
#include "watched_program.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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
using bench::ms_since;
using bench::SteadyClock;

constexpr int kRuns = 5;
constexpr std::chrono::seconds kPatience{120};
constexpr std::uint64_t kOtherSeed = 2;
constexpr std::uint32_t kFilesOfASession = 3;  // and a little more

void make_vault(const std::string& folder, std::uint32_t sessions, std::uint64_t seed) {
  bench::VaultPlan plan;
  plan.sessions = sessions;
  plan.seed = seed;
  if (const auto made = bench::generate_vault(plan, folder); !made) {
    throw std::runtime_error(made.error().message);
  }
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

double reading_ms(const std::vector<fs::path>& files) {
  const auto begun = SteadyClock::now();
  std::size_t bytes = 0;
  for (const fs::path& file : files) {
    bytes += contents(file).size();
  }
  return bytes > 0 ? ms_since(begun) : -1;
}

struct Flood {
  std::vector<fs::path> files;  // beside the vault
  std::string newest;           // token
};

Flood make_flood(const std::string& aside, std::size_t files) {
  make_vault(aside, static_cast<std::uint32_t>(files / kFilesOfASession), kOtherSeed);
  Flood flood;
  for (const auto& entry : fs::directory_iterator(aside + "/memory")) {
    flood.files.push_back(entry.path());
  }
  // Names begin with the time, and then have the token.
  constexpr std::size_t kTimeLetters = 26;
  constexpr std::size_t kTokenLetters = 16;
  flood.newest = (*std::max_element(flood.files.begin(), flood.files.end()))
                     .filename()
                     .string()
                     .substr(kTimeLetters, kTokenLetters);
  return flood;
}

/// Milliseconds of the service, then of reading.
std::pair<double, double> one_run(const std::string& program,
                                  const std::string& place,
                                  std::size_t files) {
  make_vault(place + "/vault", 1'000, 1);
  const Flood flood = make_flood(place + "/aside", files);
  fs::create_directory(place + "/state");
  const bench::Ear ear(place + "/ear.sock");
  const bench::WatchedProgram service({program,
                                       "watch",
                                       "--workspace",
                                       place + "/vault",
                                       "--state-dir",
                                       place + "/state",
                                       "--now",
                                       lineage::to_string(bench::VaultPlan().now)});
  if (!ear.hears("READY=1")) {
    throw std::runtime_error("the service was not ready");
  }
  service.stand_still();
  const double reading = reading_ms(flood.files);
  for (const fs::path& file : flood.files) {
    fs::rename(file, fs::path(place + "/vault/memory") / file.filename());
  }
  service.go_on();
  const auto begun = SteadyClock::now();
  while (contents(place + "/vault/MEMORY.md").find(flood.newest) == std::string::npos) {
    if (SteadyClock::now() - begun > kPatience) {
      throw std::runtime_error("MEMORY.md did not follow");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return {ms_since(begun), reading};
}

void measure(const std::string& program, const std::string& folder, std::size_t files) {
  std::vector<double> ours;
  std::vector<double> reading;
  for (int run = 0; run < kRuns; ++run) {
    const std::string place = folder + "/" + std::to_string(run);
    fs::create_directories(place);
    const auto [service_ms, reading_time] = one_run(program, place, files);
    ours.push_back(service_ms / 1000);
    reading.push_back(reading_time / 1000);
  }
  bench::print({"watch, " + std::to_string(files) + " files while it stood still",
                "s",
                "<= 10",
                ours,
                bench::with_unit(bench::median(ours), "s"),
                bench::with_unit(bench::median(reading), "s"),
                "until MEMORY.md; against reading them"});
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4 || fs::exists(arguments[2])) {
    std::fputs("usage: flood_bench PROGRAM FOLDER FILES (a folder that does not exist yet)\n",
               stderr);
    return 2;
  }
  int outcome = 0;
  try {
    measure(
        arguments[1], fs::absolute(arguments[2]).string(), std::strtoul(arguments[3], nullptr, 10));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "flood_bench: %s\n", error.what());
    outcome = 1;
  }
  std::error_code ignored;
  fs::remove_all(arguments[2], ignored);
  return outcome;
}
