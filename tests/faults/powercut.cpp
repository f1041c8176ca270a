// SPDX-License-Identifier: MIT
//
//   powercut [CUTS] [--without-sync]
//
// The plug is pulled: vault and state lie in an ext4 image; sessions are removed one after the
// other, and each answer is noted outside of the image. At a random moment everything stands still,
// and the image is copied as the disk has it, without what the system still held in memory. In the
// copy every removal that was acknowledged must be whole.
//
// With --without-sync no call that makes bytes durable does anything, and acknowledged removals
// must be lost: the proof that the trial would see it. Exit 0: all held; 1: not; 77: this machine
// allows no loop mounts (needs root).
#include "support/program.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;
using support::TempFolder;

constexpr int kSessions = 60;
constexpr int kSkipped = 77;
constexpr const char* kNow = "2026-03-30T12:00:00.000Z";

enum class Sync { real, none };

bool shell(const std::string& line) {
  support::Program program;
  program.command = {"/bin/sh", "-c", line};
  program.environment = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
  return support::run(program).exit_code == 0;
}

/// A file system in a file, mounted for as long as this lives.
class Mount {
 public:
  Mount(const std::string& image, std::string at) : at_(std::move(at)) {
    if (!shell("mount -o loop '" + image + "' '" + at_ + "'")) {
      throw std::runtime_error("cannot mount " + image);
    }
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  ~Mount() { shell("umount '" + at_ + "' || umount -l '" + at_ + "'"); }

 private:
  std::string at_;
};

std::string word(int number) { return "quartzlantern" + std::to_string(1000 + number) + "x"; }

SessionFiles session(int number) {
  const std::string day = std::to_string(10 + number % 18);
  const std::string minute = std::to_string(10 + number % 50);
  SessionFiles files(
      "default", "key-" + std::to_string(number), "2026-03-" + day + "T10:" + minute + ":00.000Z");
  files.summary.body = "# Session\n\nLit the " + word(number) +
                       " in the harbour, so that every boat finds home at night.\n";
  files.transcript.body = "## user\n\nWhere is the " + word(number) +
                          ", and who has put it there at that time of the night?\n";
  return files;
}

class Trial {
 public:
  Trial(const TempFolder& folder, Sync sync) : folder_(folder), sync_(sync) {}

  /// An image with an indexed vault. False: not on this machine.
  bool prepare() const {
    folder_.make_folder("disk");
    if (!shell("truncate -s 64M '" + folder_.at("template") + "' && mkfs.ext4 -q -F '" +
               folder_.at("template") + "'")) {
      return false;
    }
    try {
      const Mount mount(folder_.at("template"), folder_.at("disk"));
      for (int number = 0; number < kSessions; ++number) {
        session(number).write(folder_, "disk/vault");
      }
      return shell(daybook("reindex"));
    } catch (const std::runtime_error&) {
      return false;
    }
  }

  /// What was acknowledged before the cut and is not whole after it.
  std::vector<std::string> cut(std::mt19937_64& random, std::size_t& acknowledged) const {
    shell("cp --sparse=always '" + folder_.at("template") + "' '" + folder_.at("image") + "'");
    fs::remove(folder_.at("acknowledged"));
    {
      const Mount mount(folder_.at("image"), folder_.at("disk"));
      const pid_t writer = start_writer();
      std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 2500));
      stop(writer);
      shell("cp --sparse=always '" + folder_.at("image") + "' '" + folder_.at("copy") + "'");
      ::kill(-writer, SIGKILL);
      ::waitpid(writer, nullptr, 0);
      await_end(writer);
    }
    std::vector<int> done;
    std::ifstream file(folder_.at("acknowledged"));
    for (int number = 0; file >> number;) {
      done.push_back(number);
    }
    acknowledged = done.size();
    const Mount mount(folder_.at("copy"), folder_.at("disk"));
    return losses(done);
  }

 private:
  [[nodiscard]] std::string daybook(const std::string& arguments) const {
    return std::string("exec '") + DAYBOOK_BINARY + "' --workspace '" + folder_.at("disk/vault") +
           "' --state-dir '" + folder_.at("disk/state") + "' --now " + kNow + " " + arguments;
  }

  /// In a group of its own, children included.
  [[nodiscard]] pid_t start_writer() const {
    const pid_t child = ::fork();
    if (child != 0) {
      ::setpgid(child, child);
      return child;
    }
    ::setpgid(0, 0);
    if (sync_ == Sync::none) {
      ::setenv("LD_PRELOAD", DAYBOOK_FAULT_SHIM, 1);
      ::setenv("FAULT_MODE", "no-sync", 1);
    }
    for (int number = 0; number < kSessions; ++number) {
      const std::string line = daybook("remove --session key-" + std::to_string(number) +
                                       " --reason cut --yes >/dev/null 2>&1");
      if (std::system(line.c_str()) == 0) {  // NOLINT: a shell is wanted, in the same group
        std::ofstream(folder_.at("acknowledged"), std::ios::app) << number << std::endl;
      }
    }
    ::_exit(0);
  }

  /// The states of all processes of a group, as letters.
  static std::string states_of(pid_t group) {
    std::string states;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "stat");
      std::string line;
      std::getline(file, line);
      const std::size_t end = line.rfind(')');
      if (end == std::string::npos) {
        continue;
      }
      std::istringstream rest(line.substr(end + 1));
      std::string state;
      pid_t parent = 0;
      pid_t own_group = 0;
      rest >> state >> parent >> own_group;
      states += own_group == group ? state : "";
    }
    return states;
  }

  static void stop(pid_t group) {
    ::kill(-group, SIGSTOP);
    while (states_of(group).find_first_not_of("TZ") != std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static void await_end(pid_t group) {
    while (states_of(group).find_first_not_of('Z') != std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  [[nodiscard]] std::vector<std::string> losses(const std::vector<int>& done) const {
    std::vector<std::string> lost;
    for (const int number : done) {
      if (!has_tombstone(number)) {
        lost.push_back("the tombstone of key-" + std::to_string(number));
      }
    }
    if (!shell(daybook("reindex"))) {
      lost.emplace_back("reindex fails");
    }
    if (!shell(daybook("check --quiet"))) {
      lost.emplace_back("check finds errors");
    }
    std::string everything;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.at("disk"))) {
      if (entry.is_regular_file()) {
        std::ifstream file(entry.path(), std::ios::binary);
        everything.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      }
    }
    for (const int number : done) {
      if (everything.find(word(number)) != std::string::npos) {
        lost.push_back("text of key-" + std::to_string(number) + " is still there");
      }
    }
    return lost;
  }

  [[nodiscard]] bool has_tombstone(int number) const {
    const std::string end = "--" + session(number).token() + "--tombstone.md";
    const fs::directory_iterator files(folder_.at("disk/vault/memory"));
    return std::any_of(begin(files), fs::end(files), [&end](const auto& entry) {
      return entry.path().filename().string().ends_with(end) && fs::file_size(entry.path()) > 0;
    });
  }

  const TempFolder& folder_;
  Sync sync_;
};

int run(int cuts, Sync sync) {
  const TempFolder folder;
  const Trial trial(folder, sync);
  if (!trial.prepare()) {
    std::puts("skipped: no ext4 image can be made and mounted here (needs root and loop devices)");
    return kSkipped;
  }
  const auto seed = static_cast<unsigned>(std::random_device{}());
  std::mt19937_64 random(seed);
  std::size_t sum = 0;
  int failed = 0;
  for (int cut = 1; cut <= cuts; ++cut) {
    std::size_t acknowledged = 0;
    const auto lost = trial.cut(random, acknowledged);
    sum += acknowledged;
    failed += lost.empty() ? 0 : 1;
    for (const std::string& what : lost) {
      std::printf("cut %d, after %zu acknowledged removals: %s\n", cut, acknowledged, what.c_str());
    }
  }
  std::printf("%d cuts, %zu acknowledged removals, %d cuts with losses\n", cuts, sum, failed);
  return (sync == Sync::real) == (failed == 0) ? 0 : 1;
}

}  // namespace
}  // namespace daybook::faults

int main(int argc, char** argv) {
  int cuts = 3;
  daybook::faults::Sync sync = daybook::faults::Sync::real;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--without-sync") {
      sync = daybook::faults::Sync::none;
    } else {
      cuts = std::max(1, std::atoi(argv[i]));
    }
  }
  try {
    return daybook::faults::run(cuts, sync);
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
}
