// SPDX-License-Identifier: MIT
// watch_bench PROGRAM VAULT STATE NOW CHANGES YARDSTICK SESSIONS: runs `PROGRAM watch` over the
// vault and measures how soon it is ready, against the shell command YARDSTICK; how soon MEMORY.md
// follows a change, so many times, from the last byte written; and what the service takes when
// nothing happens. The last two against inotifywait, which watches the same folder in the same run;
// the slowest change against the slowest of as many files that were replaced and synced by hand.
// A change is one of the pinned note, every twentieth a session that arrives, of which the full
// text is made while the next changes come. The state folder must have an index as of NOW. Prints
// rows for scripts/bench.
#include "absentees.hpp"
#include "row.hpp"
#include "synced_by_hand.hpp"
#include "watched_program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using daybook::bench::Absentees;
using daybook::bench::Ear;
using daybook::bench::median;
using daybook::bench::ms_since;
using daybook::bench::print;
using daybook::bench::print_worst;
using daybook::bench::ratios;
using daybook::bench::SteadyClock;
using daybook::bench::SyncedByHand;
using daybook::bench::WatchedProgram;
using daybook::bench::with_unit;

constexpr double kSettleMs = 200;
constexpr std::chrono::seconds kPatience{30};
constexpr int kRuns = 5;
constexpr int kArrivalEach = 20;

ino_t inode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

/// inotifywait over the vault's notes, and whether it has said something.
class Inotifywait {
 public:
  explicit Inotifywait(const std::string& vault) {
    if (::pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
      program_ = std::make_unique<WatchedProgram>(
          std::vector<std::string>{
              "inotifywait", "-q", "-m", "-e", "close_write,moved_to", vault + "/memory"},
          ends_[1]);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it does not say when it is
    }
  }
  Inotifywait(const Inotifywait&) = delete;
  Inotifywait& operator=(const Inotifywait&) = delete;
  ~Inotifywait() {
    program_.reset();
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  bool said_something() const {
    std::array<char, 4096> text{};
    bool said = false;
    while (::read(ends_[0], text.data(), text.size()) > 0) {
      said = true;
    }
    return said;
  }
  const WatchedProgram& program() const { return *program_; }

 private:
  std::array<int, 2> ends_{-1, -1};
  std::unique_ptr<WatchedProgram> program_;
};

/// Milliseconds; of MEMORY.md beyond the settle time.
struct Times {
  std::vector<double> memory_md;
  std::vector<double> inotifywait;
  std::vector<double> arrivals;  // of sessions, among the first
  std::vector<double> by_hand;
};

/// A fifth of the changes each, so that they have a spread.
std::vector<double> of_each_run(const std::vector<double>& times,
                                double (*sum_up)(std::vector<double>)) {
  std::vector<double> results;
  const std::size_t runs = std::min<std::size_t>(kRuns, times.size());
  for (std::size_t run = 0; run < runs; ++run) {
    const auto at = [&](std::size_t part) {
      return times.begin() + static_cast<std::ptrdiff_t>(times.size() * part / runs);
    };
    results.push_back(sum_up({at(run), at(run + 1)}));
  }
  return results;
}

double slowest(std::vector<double> times) { return *std::max_element(times.begin(), times.end()); }

class Bench {
 public:
  explicit Bench(char** words)
      : command_{words[1],
                 "watch",
                 "--workspace",
                 words[2],
                 "--state-dir",
                 words[3],
                 "--now",
                 words[4]},
        vault_(words[2]),
        memory_md_(std::string(words[2]) + "/MEMORY.md"),
        pinned_(std::string(words[2]) + "/memory/pinned.md"),
        changes_(std::atoi(words[5])),
        yardstick_(words[6]),
        sessions_(std::atoi(words[7])),
        ear_(std::string(words[3]) + "/bench.sock") {}

  /// In turns, so that a machine that slows down or speeds up favours neither.
  bool measure_start() const {
    std::vector<double> ready;
    std::vector<double> yardstick;
    for (int run = 0; run <= kRuns; ++run) {
      auto begun = SteadyClock::now();
      double took = 0;
      {
        const WatchedProgram service(command_);
        if (!ear_.hears("READY=1")) {
          return false;
        }
        took = ms_since(begun);
      }
      begun = SteadyClock::now();
      if (std::system(yardstick_.c_str()) != 0) {
        return false;
      }
      if (run > 0) {  // the first warms both
        ready.push_back(took);
        yardstick.push_back(ms_since(begun));
      }
    }
    print({"watch, ready / git status",
           "ratio",
           "<= 2",
           ratios(ready, yardstick),
           with_unit(median(ready), "ms"),
           with_unit(median(yardstick), "ms"),
           ""});
    return true;
  }

  bool measure_service() const {
    Absentees absentees(vault_, memory_md_, static_cast<std::size_t>(changes_ / kArrivalEach));
    const Inotifywait inotifywait(vault_);
    const WatchedProgram service(command_);
    if (!ear_.hears("READY=1")) {
      return false;
    }
    const Times times = follow_changes(absentees, inotifywait);
    if (static_cast<int>(times.memory_md.size()) < changes_) {
      return false;
    }
    print_times(times);
    std::this_thread::sleep_for(std::chrono::seconds(3));  // the full text follows
    measure_rest(service, inotifywait.program());
    ::unlink(pinned_.c_str());
    return true;
  }

 private:
  Times follow_changes(Absentees& absentees, const Inotifywait& inotifywait) const {
    Times times;
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(memory_md_, ignored);
    SyncedByHand by_hand(vault_ + "/.watch-bench-synced", ignored ? 0 : bytes);
    for (int i = 0; i < changes_; ++i) {
      const ino_t before = inode_of(memory_md_);
      static_cast<void>(inotifywait.said_something());  // what the service itself has written
      const bool arrival = i % kArrivalEach == kArrivalEach - 1 && absentees.one_arrives();
      if (!arrival) {
        std::ofstream(pinned_) << "Change " << i << ".\n";
      }
      const auto begun = SteadyClock::now();
      bool heard = false;
      while (inode_of(memory_md_) == before) {
        if (!heard && inotifywait.said_something()) {
          heard = true;
          times.inotifywait.push_back(ms_since(begun));
        }
        if (SteadyClock::now() - begun > kPatience) {
          return times;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      times.memory_md.push_back(ms_since(begun) - kSettleMs);
      if (arrival) {
        times.arrivals.push_back(times.memory_md.back());
      }
      times.by_hand.push_back(by_hand.replace_once());
      if (times.by_hand.back() < 0) {
        return {};  // nothing to hold it against
      }
    }
    return times;
  }

  void print_times(const Times& times) const {
    const auto with_changes = [](const std::vector<double>& some, const char* yardstick) {
      return std::to_string(some.size()) + " changes, beyond the settle time; against " + yardstick;
    };
    const std::string heard =
        times.inotifywait.empty() ? "" : with_unit(median(times.inotifywait), "ms");
    if (!times.arrivals.empty()) {
      print({"watch, session to MEMORY.md, median",
             "ms",
             "<= 5",
             of_each_run(times.arrivals, median),
             with_unit(median(times.arrivals), "ms"),
             heard,
             with_changes(times.arrivals, "inotifywait")});
    }
    print({"watch, change to MEMORY.md, median",
           "ms",
           "<= 5",
           of_each_run(times.memory_md, median),
           with_unit(median(times.memory_md), "ms"),
           heard,
           with_changes(times.memory_md, "inotifywait")});
    print_worst({"watch, change to MEMORY.md, slowest",
                 "ms",
                 "<= 50",
                 of_each_run(times.memory_md, slowest),
                 with_unit(slowest(times.memory_md), "ms"),
                 with_unit(slowest(times.by_hand), "ms"),
                 with_changes(times.memory_md, "a file replaced and synced by hand")});
  }

  void measure_rest(const WatchedProgram& service, const WatchedProgram& inotifywait) const {
    // Long enough that the sweeps of a large vault, which come every few minutes, count as they
    // are.
    const std::chrono::seconds quiet(changes_ >= 1000 ? 60 : 12);
    std::vector<double> idle;
    std::vector<double> resident;
    const double others_before = inotifywait.cpu_seconds();
    for (int run = 0; run < kRuns; ++run) {
      const double before = service.cpu_seconds();
      std::this_thread::sleep_for(quiet);
      idle.push_back((service.cpu_seconds() - before) / static_cast<double>(quiet.count()) * 100);
      resident.push_back(service.megabytes("VmRSS:"));
    }
    const double seconds = static_cast<double>(quiet.count() * kRuns);
    // The mean is told beside it: a sweep, which comes every few minutes, may fall into one run.
    const double mean = std::accumulate(idle.begin(), idle.end(), 0.0) / kRuns;
    print({"watch, idle, of a core",
           "%",
           sessions_ <= 1000 ? "<= 0.1" : "<= 0.2",
           idle,
           with_unit(mean, "%"),
           with_unit((inotifywait.cpu_seconds() - others_before) / seconds * 100, "%"),
           "means of " + std::to_string(static_cast<int>(seconds)) + " s, against inotifywait"});
    print({"watch, resident",
           "MB",
           sessions_ <= 1000 ? "<= 25" : "<= 60",
           resident,
           "",
           with_unit(inotifywait.megabytes("VmRSS:"), "MB"),
           "peak " + with_unit(service.megabytes("VmHWM:"), "MB") + "; against inotifywait"});
  }

  std::vector<std::string> command_;
  std::string vault_;
  std::string memory_md_;
  std::string pinned_;
  int changes_;
  std::string yardstick_;
  int sessions_;
  Ear ear_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fprintf(stderr, "usage: watch_bench PROGRAM VAULT STATE NOW CHANGES YARDSTICK SESSIONS\n");
    return 2;
  }
  const Bench bench(argv);
  if (!bench.measure_start() || !bench.measure_service()) {
    std::fprintf(stderr, "the service was not ready, or MEMORY.md did not follow\n");
    return 1;
  }
  return 0;
}
