// SPDX-License-Identifier: MIT
//
// The kernel has no watches left, or no inotify at all: from the start, or once more folders come.
// The service follows by polling, and says so.
#include "daemon/storm.hpp"
#include "daemon/watched_vault.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "support/own_namespace.hpp"

#include <filesystem>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using daemon::WatchedVault;
using support::eventually;

constexpr int kFolders = 12;

void set_limit(const char* name, int value) {
  if (!support::write_text(std::string("/proc/sys/user/") + name, std::to_string(value))) {
    throw Skipped("limits of a user namespace cannot be set");
  }
}

void make_folders(const WatchedVault& watched, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    fs::create_directories(watched.at("memory/folder" + std::to_string(i)));
  }
}

class WatchLimitTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    if (!entered_ && !support::enter_namespace(0)) {
      throw Skipped("no user namespaces");
    }
    entered_ = true;
    Dice dice(number);
    // Of three trials each has one: no inotify, too few watches, too few once folders come.
    const bool none = number % 3 == 0;
    const bool later = number % 3 == 1;
    set_limit("max_inotify_instances", none ? 0 : 100);
    set_limit("max_inotify_watches", later ? 1 + kFolders : dice.between(1, kFolders));
    Complaints complaints;
    WatchedVault watched;
    watched.vault().add(flow::session(1, flow::Naming::by_path));
    make_folders(watched, 0, later ? kFolders / 2 : kFolders);
    watched.start();
    if (later) {
      if (watched.health().backend != "inotify") {
        complaints.emplace_back("C: it polls although there are watches enough");
      }
      make_folders(watched, kFolders / 2, kFolders);
    }
    if (!eventually([&] { return says_so(watched); })) {
      complaints.push_back("C: status does not say that it polls: " + watched.health().backend);
    }
    const int last = later ? kFolders + kFolders / 2 - 1 : kFolders - 1;
    auto deep = flow::session(11, flow::Naming::by_path);
    deep.summary.folder = deep.transcript.folder = deep.manifest.folder =
        "memory/folder" + std::to_string(last);
    watched.vault().add(deep);
    if (!watched.shows("session=key-11 ")) {
      complaints.emplace_back("C: a file in a folder that is not watched is not seen");
    }
    daemon::Storm(watched.vault(), number).rage(dice.between(20, 60));
    const base::Stopwatch quiet;
    if (!watched.equals_rebuild()) {
      complaints.push_back("C: not as a rebuild: " + watched.difference());
    }
    count_most("ms to equal a rebuild", static_cast<std::uint64_t>(quiet.seconds() * 1000));
    watched.stop();
    return complaints;
  }

 private:
  static bool says_so(const WatchedVault& watched) {
    const daemon::Health health = watched.health();
    return health.backend == "polling" && !health.trouble.empty() &&
           watched.is_degraded(daemon::degraded::kPolling);
  }

  bool entered_ = false;
};

}  // namespace

Row watch_limit() {
  return {"watch-limit",
          "no watches left, or no inotify",
          "C",
          3,
          100,
          [] { return std::make_unique<WatchLimitTrials>(); },
          Place::disk,
          240};
}

}  // namespace daybook::gauntlet
