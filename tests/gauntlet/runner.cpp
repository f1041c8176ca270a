// SPDX-License-Identifier: MIT
#include "gauntlet/runner.hpp"

#include "gauntlet/worker.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

namespace daybook::gauntlet {
namespace {

using Clock = std::chrono::steady_clock;
using Numbers = std::vector<std::uint64_t>;

// A sanitizer makes everything slower.
constexpr int kSlower = 4;

/// One worker's share, and how far it is.
struct Share {
  Numbers left;
  std::unique_ptr<Worker> worker;
  std::optional<std::uint64_t> current;
  Complaints complaints;
  Clock::time_point last_word;
};

class RowRun {
 public:
  RowRun(const Row& row, const RunPlan& plan, std::string folder)
      : row_(row), plan_(plan), folder_(std::move(folder)) {}

  RowResult carry_out() {
    const auto began = Clock::now();
    const Numbers numbers = row_.open()->numbers(plan_.first, plan_.most);
    result_.trials = numbers.size();
    share_out(numbers);
    while (anybody_works() && !plan_.stopped() &&
           !(plan_.stop_at_failure && !result_.failures.empty())) {
      listen();
    }
    shares_.clear();  // ends who still works
    result_.trials = done_;
    std::sort(result_.failures.begin(), result_.failures.end(), [](const auto& a, const auto& b) {
      return a.number < b.number;
    });
    result_.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    return std::move(result_);
  }

 private:
  /// Neighbours to the same worker: they often need the same preparation.
  void share_out(const Numbers& numbers) {
    const auto workers = static_cast<std::size_t>(std::max(1, plan_.workers));
    for (std::size_t i = 0; i < workers; ++i) {
      const auto from = static_cast<std::ptrdiff_t>(i * numbers.size() / workers);
      const auto to = static_cast<std::ptrdiff_t>((i + 1) * numbers.size() / workers);
      shares_.push_back({Numbers(numbers.begin() + from, numbers.begin() + to), {}, {}, {}, {}});
      start(shares_.back());
    }
  }

  void start(Share& share) {
    share.worker.reset();
    share.current.reset();
    if (share.left.empty()) {
      return;
    }
    share.worker = std::make_unique<Worker>(
        row_, share.left, folder_ + "/" + std::to_string(workers_started_++));
    share.last_word = Clock::now();
  }

  bool anybody_works() const {
    return std::any_of(
        shares_.begin(), shares_.end(), [](const Share& share) { return share.worker != nullptr; });
  }

  void listen() {
    std::vector<pollfd> ears;
    std::vector<Share*> speakers;
    for (Share& share : shares_) {
      if (share.worker) {
        ears.push_back({share.worker->descriptor(), POLLIN, 0});
        speakers.push_back(&share);
      }
    }
    ::poll(ears.data(), ears.size(), 500);
    for (std::size_t i = 0; i < ears.size(); ++i) {
      if (ears[i].revents != 0) {
        hear(*speakers[i]);
      } else if (Clock::now() - speakers[i]->last_word > patience()) {
        speakers[i]->complaints.push_back("it hangs: no end after " +
                                          std::to_string(patience().count()) + " s");
        speakers[i]->worker->kill();
        speakers[i]->last_word = Clock::now();
      }
    }
  }

  std::chrono::seconds patience() const {
    return std::chrono::seconds(row_.patience_seconds * (support::is_sanitized() ? kSlower : 1));
  }

  void hear(Share& share) {
    share.last_word = Clock::now();
    std::vector<std::pair<std::string, std::string>> records;
    const bool goes_on = share.worker->read(records);
    for (const auto& [word, rest] : records) {
      take(share, word, rest);
    }
    if (!goes_on) {
      ended(share);
    }
  }

  void take(Share& share, const std::string& word, const std::string& rest) {
    if (word == "begin") {
      share.current = std::stoull(rest);
    } else if (word == "complaint") {
      share.complaints.push_back(rest);
    } else if (word == "end") {
      finish_trial(share);
    } else if (word == "count") {
      const std::size_t blank = rest.rfind(' ');
      take_count(rest.substr(0, blank), std::stoull(rest.substr(blank + 1)));
    } else if (word == "skipped") {
      result_.skipped = rest;
      share.left.clear();
    }
  }

  void take_count(const std::string& name, std::uint64_t value) {
    std::uint64_t& count = result_.counts[name];
    count = name.ends_with(kAtMost) ? std::max(count, value) : count + value;
  }

  void finish_trial(Share& share) {
    if (!share.complaints.empty()) {
      result_.failures.push_back({share.current.value_or(0), std::move(share.complaints)});
    }
    share.complaints.clear();
    share.left.erase(share.left.begin());
    share.current.reset();
    ++done_;
    if (plan_.progress) {
      plan_.progress(done_, result_.trials);
    }
  }

  /// The process has ended: because all is done, or in the middle of a trial.
  void ended(Share& share) {
    const std::string how = share.worker->end();
    if (!share.left.empty()) {
      share.complaints.push_back("the trial ends its process, " + (how.empty() ? "exit 0" : how));
      share.current = share.current.value_or(share.left.front());
      finish_trial(share);
    }
    start(share);
  }

  const Row& row_;
  const RunPlan& plan_;
  std::string folder_;
  std::vector<Share> shares_;
  std::size_t workers_started_ = 0;
  std::size_t done_ = 0;
  RowResult result_;
};

/// The memory of the machine, if it can be written to.
std::string folder_for(Place place) {
  constexpr const char* kMemory = "/dev/shm";
  static const std::string disk = std::filesystem::temp_directory_path().string();
  return place == Place::memory && ::access(kMemory, W_OK | X_OK) == 0 ? kMemory : disk;
}

}  // namespace

RowResult run_row(const Row& row, const RunPlan& plan) {
  // Also for what the list of trials has to be asked of first.
  ::setenv("TMPDIR", folder_for(row.place).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  const support::TempFolder folder;
  try {
    return RowRun(row, plan, folder.path().string()).carry_out();
  } catch (const Skipped& reason) {
    RowResult result;
    result.skipped = reason.what();
    return result;
  }
}

}  // namespace daybook::gauntlet
