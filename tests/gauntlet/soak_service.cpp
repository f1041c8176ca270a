// SPDX-License-Identifier: MIT
#include "gauntlet/soak_service.hpp"

#include "daybook/daemon/watch_service.hpp"
#include "daybook/watch/efsw_source.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Until it is killed: it may end anywhere.
[[noreturn]] void serve(const state::StateFolder& folder, const FastClock& clock) {
  watch::EfswSource source;
  daemon::WatchService service(base::real_disk(), folder, clock, source, {});
  static_cast<void>(service.run());
  ::_exit(1);
}

}  // namespace

/// In real milliseconds of the steady clock.
struct FastClock::Hands {
  std::atomic<std::int64_t> began{0};    ///< later by all the time for which it was stopped
  std::atomic<std::int64_t> stopped{0};  ///< since when; 0: it runs
};

FastClock::FastClock(double speed) : speed_(speed) {
  void* const shared =
      ::mmap(nullptr, sizeof(Hands), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    throw std::runtime_error("no shared memory");
  }
  hands_ = new (shared) Hands;
  hands_->began = steady_ms();
}

FastClock::~FastClock() { ::munmap(hands_, sizeof(Hands)); }

std::int64_t FastClock::now_ms() const {
  const std::int64_t stopped = hands_->stopped;
  const std::int64_t passed = (stopped != 0 ? stopped : steady_ms()) - hands_->began;
  return support::kTestNow + static_cast<std::int64_t>(static_cast<double>(passed) * speed_);
}

void FastClock::stop() const { hands_->stopped = steady_ms(); }

void FastClock::go_on() const {
  const std::int64_t stopped = hands_->stopped;
  hands_->began += steady_ms() - stopped;
  hands_->stopped = 0;
}

SoakService::SoakService(const support::IndexedVault& vault, const FastClock& clock)
    : process_(::fork()) {
  if (process_ < 0) {
    throw std::runtime_error("no process");
  }
  if (process_ == 0) {
    serve(vault.folder(), clock);
  }
}

SoakService::~SoakService() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool SoakService::is_alive() const { return ::waitpid(process_, nullptr, WNOHANG) == 0; }

Cost SoakService::cost() const {
  const std::string proc = "/proc/" + std::to_string(process_);
  Cost cost;
  std::ifstream status(proc + "/status");
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") {
      status >> cost.memory_kb;
    }
  }
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(proc + "/fd")) {
    ++cost.descriptors;
  }
  return cost;
}

}  // namespace daybook::gauntlet
