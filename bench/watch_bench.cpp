// SPDX-License-Identifier: MIT
// watch_bench PROGRAM VAULT STATE NOW CHANGES YARDSTICK SESSIONS: runs `PROGRAM watch` over the
// vault and measures how soon it is ready, against the shell command YARDSTICK; how soon MEMORY.md
// follows a change, so many times, from the last byte written; and what the service takes when
// nothing happens. A change is one of the pinned note, every twentieth a session that arrives, of
// which the full text is made while the next changes come. The state folder must have an index as
// of NOW. Prints rows for scripts/bench.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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
    arguments.reserve(words.size() + 1);
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

/// Of all its threads, as precise as the scheduler knows it.
double cpu_seconds(pid_t process) {
  double nanoseconds = 0;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    double running = 0;
    std::ifstream(task.path() / "schedstat") >> running;
    nanoseconds += running;
  }
  return nanoseconds / 1e9;
}

/// Where a service says that it is ready, as systemd would hear it.
class Ear {
 public:
  explicit Ear(std::string path)
      : path_(std::move(path)), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    ::unlink(path_.c_str());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    const timeval patience{kPatience.count(), 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    usable_ = ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::setenv("NOTIFY_SOCKET", path_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;
  ~Ear() {
    ::close(socket_);
    ::unlink(path_.c_str());
  }

  bool hears(std::string_view word) const {
    std::array<char, 512> message{};
    for (ssize_t size = 0; usable_ && size >= 0;) {
      size = ::recv(socket_, message.data(), message.size(), 0);
      if (size > 0 && std::string_view(message.data(), static_cast<std::size_t>(size)).find(word) !=
                          std::string_view::npos) {
        return true;
      }
    }
    return false;
  }

 private:
  std::string path_;
  int socket_;
  bool usable_ = false;
};

/// Sessions of MEMORY.md, moved out of the vault, to arrive there one by one. What has not arrived
/// goes back at the end.
class Absentees {
 public:
  Absentees(const std::string& vault, const std::string& memory_md, std::size_t most)
      : memory_(vault + "/memory"), aside_(vault + "/.watch-bench") {
    std::filesystem::create_directory(aside_);
    std::ifstream file(memory_md);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    constexpr std::string_view kMark = "--summary.md|";
    constexpr std::size_t kTokenLetters = 16;
    for (std::size_t at = text.find(kMark); at != std::string::npos && tokens_.size() < most;
         at = text.find(kMark, at + 1)) {
      if (at >= kTokenLetters) {
        tokens_.push_back(text.substr(at - kTokenLetters, kTokenLetters));
      }
    }
    for (const std::string& token : tokens_) {
      move(token, memory_, aside_);
    }
  }
  Absentees(const Absentees&) = delete;
  Absentees& operator=(const Absentees&) = delete;
  ~Absentees() {
    while (one_arrives()) {
    }
    std::filesystem::remove(aside_);
  }

  bool one_arrives() {
    if (tokens_.empty()) {
      return false;
    }
    move(tokens_.back(), aside_, memory_);
    tokens_.pop_back();
    return true;
  }

 private:
  static void move(const std::string& token,
                   const std::filesystem::path& from,
                   const std::filesystem::path& to) {
    const std::string mark = "--" + token + "--";
    for (const auto& entry : std::filesystem::directory_iterator(from)) {
      const std::filesystem::path name = entry.path().filename();
      if (name.string().find(mark) != std::string::npos) {
        std::filesystem::rename(entry.path(), to / name);
      }
    }
  }

  std::filesystem::path memory_;
  std::filesystem::path aside_;
  std::vector<std::string> tokens_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void row(const char* name, double value, double target, const std::string& detail) {
  std::printf("%s\t%.3f\t%.3f\t%s\n", name, value, target, detail.c_str());
}

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
        ear_(std::string(words[3]) + "/bench.sock") {}

  /// In turns, so that a machine that slows down or speeds up favours neither.
  bool measure_start() {
    constexpr int kRuns = 7;
    std::vector<double> ready;
    std::vector<double> yardstick;
    for (int run = 0; run <= kRuns; ++run) {
      auto begun = Clock::now();
      const pid_t service = start(command_);
      const bool heard = ear_.hears("READY=1");
      const double took = ms_since(begun);
      end(service);
      begun = Clock::now();
      if (!heard || std::system(yardstick_.c_str()) != 0) {
        return false;
      }
      if (run > 0) {  // the first warms both
        ready.push_back(took);
        yardstick.push_back(ms_since(begun));
      }
    }
    char detail[80];
    std::snprintf(detail,
                  sizeof detail,
                  "%.0f ms to %.0f ms, %d runs",
                  median(ready),
                  median(yardstick),
                  kRuns);
    row("watch, ready / git status", median(ready) / median(yardstick), 2, detail);
    return true;
  }

  bool measure_service(int sessions) {
    Absentees absentees(vault_, memory_md_, static_cast<std::size_t>(changes_ / kArrivalEach));
    const pid_t service = start(command_);
    if (!ear_.hears("READY=1")) {
      end(service);
      return false;
    }
    const auto [times, arrivals] = follow_changes(absentees);
    std::this_thread::sleep_for(std::chrono::seconds(3));  // the full text follows
    const double cpu_before = cpu_seconds(service);
    // Long enough that the sweeps of a large vault, which come every few minutes, count as they
    // are.
    const std::chrono::seconds quiet(changes_ >= 1000 ? 300 : 60);
    std::this_thread::sleep_for(quiet);
    const double idle = (cpu_seconds(service) - cpu_before) / static_cast<double>(quiet.count());
    const long resident = field_kb(service, "VmRSS:");
    const long peak = field_kb(service, "VmHWM:");
    end(service);
    ::unlink(pinned_.c_str());
    if (static_cast<int>(times.size()) < changes_) {
      return false;
    }
    const std::string detail = std::to_string(times.size()) + " changes, ms beyond the settle time";
    if (!arrivals.empty()) {
      row("watch, session to MEMORY.md, median",
          median(arrivals),
          5,
          std::to_string(arrivals.size()) + " of them");
    }
    row("watch, change to MEMORY.md, median", median(times), 5, detail);
    row("watch, change to MEMORY.md, slowest",
        *std::max_element(times.begin(), times.end()),
        50,
        detail);
    row("watch, idle, % of a core",
        idle * 100,
        sessions <= 1000 ? 0.1 : 0.2,
        std::to_string(quiet.count()) + " s");
    row("watch, resident MB",
        static_cast<double>(resident) * 1024 / 1e6,
        sessions <= 1000 ? 25 : 60,
        "peak " + std::to_string(peak / 1024) + " MiB");
    return true;
  }

 private:
  static void end(pid_t service) {
    ::kill(service, SIGTERM);
    ::waitpid(service, nullptr, 0);
  }

  struct Times {
    std::vector<double> all;
    std::vector<double> arrivals;  // of sessions
  };

  static constexpr int kArrivalEach = 20;

  Times follow_changes(Absentees& absentees) const {
    Times times;
    for (int i = 0; i < changes_; ++i) {
      const ino_t before = inode_of(memory_md_);
      const bool arrival = i % kArrivalEach == kArrivalEach - 1 && absentees.one_arrives();
      if (!arrival) {
        std::ofstream(pinned_) << "Change " << i << ".\n";
      }
      const auto took = until_replaced(memory_md_, before);
      if (!took) {
        break;
      }
      times.all.push_back(*took - kSettleMs);
      if (arrival) {
        times.arrivals.push_back(times.all.back());
      }
    }
    return times;
  }

  std::vector<std::string> command_;
  std::string vault_;
  std::string memory_md_;
  std::string pinned_;
  int changes_;
  std::string yardstick_;
  Ear ear_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fprintf(stderr, "usage: watch_bench PROGRAM VAULT STATE NOW CHANGES YARDSTICK SESSIONS\n");
    return 2;
  }
  Bench bench(argv);
  if (!bench.measure_start() || !bench.measure_service(std::atoi(argv[7]))) {
    std::fprintf(stderr, "the service was not ready, or MEMORY.md did not follow\n");
    return 1;
  }
  return 0;
}
