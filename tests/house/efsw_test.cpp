// SPDX-License-Identifier: MIT
// However efsw came into the build, it must report what happens on this disk.
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <efsw/efsw.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

namespace daybook::house {
namespace {

// Collects the names that efsw's thread reports, and lets the test wait for one.
class Names : public efsw::FileWatchListener {
 public:
  void handleFileAction(efsw::WatchID /*watch*/,
                        const std::string& /*folder*/,
                        const std::string& name,
                        efsw::Action /*action*/,
                        std::string /*old_name*/) override {
    const std::lock_guard lock{mutex_};
    seen_.insert(name);
    changed_.notify_all();
  }

  bool wait_for(const std::string& name, std::chrono::seconds patience) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, patience, [&] { return seen_.contains(name); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> seen_;  // guarded by mutex_
};

}  // namespace

TEST_CASE("efsw reports a file that appears in a watched folder") {
  const support::TempFolder folder;
  Names names;  // outlives the watcher, whose thread calls it
  efsw::FileWatcher watcher;
  REQUIRE(watcher.addWatch(folder.path().string(), &names, true) > 0);
  watcher.watch();

  folder.write("note.md", "hello\n");

  CHECK(names.wait_for("note.md", std::chrono::seconds{10}));
}

}  // namespace daybook::house
