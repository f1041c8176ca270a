// SPDX-License-Identifier: MIT
//
// Whether the kernel lets a service watch every folder below memory/: its limits against what this
// user's processes use already. Bounded: so many processes and descriptors are looked at and no
// more. Where there is no /proc nothing is known, which is no problem.
#include "doctor/probes.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace daybook::doctor {
namespace {

namespace fs = std::filesystem;
using enum FindingSeverity;

constexpr std::size_t kMostProcesses = 4096;
constexpr std::size_t kMostDescriptors = 65'536;
/// Below it, a burst of changes overflows the queue at once.
constexpr std::uint64_t kSmallQueue = 4096;
constexpr std::uint64_t kUsualWatches = 524'288;
constexpr std::uint64_t kUsualInstances = 1024;
/// So much of a limit may be used before it is worth a word.
constexpr double kNear = 0.9;

struct Use {
  std::uint64_t watches = 0;
  std::uint64_t instances = 0;
  std::uint64_t own_watches = 0;  ///< of other processes of ours: a service that runs already
  std::uint64_t own_instances = 0;
};

/// The first line. Iterators over the buffer would throw where a process ends in between.
std::string read_line(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::uint64_t> read_number(const fs::path& path) {
  const std::string text = read_line(path);
  std::uint64_t number = 0;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && rest != text.data() ? std::optional(number) : std::nullopt;
}

bool is_process(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c >= '0' && c <= '9';
  });
}

std::uint64_t count_watches(const fs::path& descriptor) {
  std::uint64_t count = 0;
  std::ifstream file(descriptor);
  for (std::string line; std::getline(file, line);) {
    count += line.starts_with("inotify wd:") ? 1U : 0U;
  }
  return count;
}

/// Processes may end at any moment; what cannot be read is not counted.
class UseCount {
 public:
  explicit UseCount(const SystemFacts& system) : system_(system) {}

  Use run() {
    std::error_code trouble;
    std::size_t processes = 0;
    for (fs::directory_iterator entry(system_.proc, trouble), end; !trouble && entry != end;
         entry.increment(trouble)) {
      if (is_process(entry->path().filename().string()) && is_ours(entry->path()) &&
          ++processes <= kMostProcesses) {
        count_process(entry->path());
      }
    }
    return use_;
  }

 private:
  bool is_ours(const fs::path& process) const {
    struct stat status {};
    return ::stat(process.c_str(), &status) == 0 && status.st_uid == system_.user;
  }

  void count_process(const fs::path& process) {
    const bool own = read_line(process / "comm").starts_with("daybook");
    std::error_code trouble;
    for (fs::directory_iterator entry(process / "fd", trouble), end; !trouble && entry != end;
         entry.increment(trouble)) {
      std::error_code gone;
      if (++descriptors_ > kMostDescriptors ||
          fs::read_symlink(entry->path(), gone) != "anon_inode:inotify") {
        continue;
      }
      const std::uint64_t watches = count_watches(process / "fdinfo" / entry->path().filename());
      use_.watches += watches;
      ++use_.instances;
      use_.own_watches += own ? watches : 0;
      use_.own_instances += own ? 1U : 0U;
    }
  }

  const SystemFacts& system_;
  std::size_t descriptors_ = 0;
  Use use_;
};

std::string how_to_raise(const char* limit, std::uint64_t value) {
  return std::string("Raise the limit: sudo sysctl fs.inotify.") + limit + "=" +
         std::to_string(value) +
         " (and put it into /etc/sysctl.d/ to keep it). Otherwise changes are found by polling.";
}

void look_at_watches(Examination& examination, const Use& use, std::uint64_t limit) {
  const std::uint64_t needed = examination.listing ? examination.listing->folder_count() : 1;
  const std::uint64_t wanted = needed - std::min(needed, use.own_watches);
  const std::string numbers = std::to_string(use.watches) + " of " + std::to_string(limit) +
                              " watches are in use, and memory/ needs " + std::to_string(needed);
  if (static_cast<double>(use.watches + wanted) <= kNear * static_cast<double>(limit)) {
    examination.add_ok("inotify-watches", numbers);
    return;
  }
  const std::uint64_t value = std::max(kUsualWatches, std::bit_ceil(2 * (use.watches + wanted)));
  examination.add("inotify-watches",
                  "inotify-watches-low",
                  warning,
                  numbers,
                  how_to_raise("max_user_watches", value));
}

void look_at_instances(Examination& examination, const Use& use, std::uint64_t limit) {
  const std::string numbers = std::to_string(use.instances) + " of " + std::to_string(limit) +
                              " inotify instances are in use";
  if (use.own_instances > 0 || use.instances + 1 < limit) {
    examination.add_ok("inotify-instances", numbers);
    return;
  }
  const std::uint64_t value = std::max(kUsualInstances, std::bit_ceil(2 * use.instances));
  examination.add("inotify-instances",
                  "inotify-instances-low",
                  warning,
                  numbers,
                  how_to_raise("max_user_instances", value));
}

void look_at_queue(Examination& examination, std::uint64_t limit) {
  const std::string numbers = "the kernel keeps up to " + std::to_string(limit) + " events";
  if (limit >= kSmallQueue) {
    examination.add_ok("inotify-queue", numbers);
    return;
  }
  examination.add("inotify-queue",
                  "inotify-queue-small",
                  info,
                  numbers + "; more at once are lost, and a sweep finds what they said",
                  how_to_raise("max_queued_events", 4 * kSmallQueue));
}

}  // namespace

void look_at_inotify(Examination& examination) {
  const fs::path limits = fs::path(examination.request.system.proc) / "sys/fs/inotify";
  const auto watches = read_number(limits / "max_user_watches");
  const auto instances = read_number(limits / "max_user_instances");
  const auto queue = read_number(limits / "max_queued_events");
  if (!watches || !instances || !queue) {
    examination.add_unknown("inotify", "the limits of inotify are not known on this system");
    return;
  }
  const Use use = UseCount(examination.request.system).run();
  look_at_watches(examination, use, *watches);
  look_at_instances(examination, use, *instances);
  look_at_queue(examination, *queue);
}

}  // namespace daybook::doctor
