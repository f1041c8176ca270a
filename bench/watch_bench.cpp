// SPDX-License-Identifier: MIT
// watch_bench PROGRAM VAULT STATE CHANGES: runs `PROGRAM watch` over the vault, changes its pinned
// note so many times, and measures from the last byte written to the new MEMORY.md; then what the
// service takes when nothing happens. The state folder must have an index. Prints rows for
// scripts/bench; times are milliseconds beyond the settle time.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSettleMs = 200;
constexpr std::chrono::seconds kPatience{30};

double ms_since(Clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

ino_t inode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

/// Milliseconds until the file was replaced; nothing: it never was.
std::optional<double> until_replaced(const std::string& path, ino_t before) {
  const auto begun = Clock::now();
  while (Clock::now() - begun < kPatience) {
    if (inode_of(path) != before) {
      return ms_since(begun);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return std::nullopt;
}

pid_t start(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
  return child;
}

long field_kb(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    if (word == name) {
      long value = 0;
      status >> value;
      return value;
    }
  }
  return 0;
}

double cpu_seconds(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string word;
  double ticks = 0;
  for (int field = 1; stat >> word && field <= 15; ++field) {
    if (field >= 14) {
      ticks += std::atof(word.c_str());
    }
  }
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void row(const char* name, double value, double target, const std::string& detail) {
  std::printf("%s\t%.3f\t%.3f\t%s\n", name, value, target, detail.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: watch_bench PROGRAM VAULT STATE CHANGES\n");
    return 2;
  }
  const std::string vault = argv[2];
  const std::string socket = std::string(argv[3]) + "/service.sock";
  const std::string memory_md = vault + "/MEMORY.md";
  const std::string pinned = vault + "/memory/pinned.md";
  const int changes = std::atoi(argv[4]);
  ::unlink(memory_md.c_str());  // that it stands again says that the service is ready
  const auto begun = Clock::now();
  const pid_t service =
      start({argv[1], "watch", "--workspace", vault, "--state-dir", std::string(argv[3])});
  const auto ready = until_replaced(memory_md, 0);
  const double ready_ms = ms_since(begun);
  std::vector<double> times;
  for (int i = 0; ready && i < changes; ++i) {
    const ino_t before = inode_of(memory_md);
    std::ofstream(pinned) << "Change " << i << ".\n";
    const auto took = until_replaced(memory_md, before);
    if (!took) {
      break;
    }
    times.push_back(*took - kSettleMs);
  }
  const double cpu_before = cpu_seconds(service);
  constexpr std::chrono::seconds kIdle{10};
  std::this_thread::sleep_for(kIdle);
  const double idle = (cpu_seconds(service) - cpu_before) / static_cast<double>(kIdle.count());
  const long resident = field_kb(service, "VmRSS:");
  const long peak = field_kb(service, "VmHWM:");
  ::kill(service, SIGTERM);
  ::waitpid(service, nullptr, 0);
  ::unlink(pinned.c_str());
  if (times.empty()) {
    std::fprintf(stderr, "MEMORY.md never followed\n");
    return 1;
  }
  std::sort(times.begin(), times.end());
  const std::string detail = std::to_string(times.size()) + " changes, ms beyond the settle time";
  row("watch, change to MEMORY.md, median", times[times.size() / 2], 5, detail);
  row("watch, change to MEMORY.md, slowest", times.back(), 50, detail);
  row("watch, idle, % of a core", idle * 100, 0.1, "10 s");
  row("watch, resident MB",
      static_cast<double>(resident) * 1024 / 1e6,
      60,
      "peak " + std::to_string(peak / 1024) + " MiB; ready after " +
          std::to_string(static_cast<int>(ready_ms)) + " ms");
  return 0;
}
