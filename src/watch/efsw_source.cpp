// SPDX-License-Identifier: MIT
#include "daybook/watch/efsw_source.hpp"

#include "daybook/watch/ignored_names.hpp"
#include "watch/remote_disk.hpp"

#include <efsw/efsw.hpp>

#include <atomic>
#include <unordered_map>
#include <unordered_set>

#ifdef __linux__
#include <cerrno>
#include <sys/inotify.h>
#include <system_error>
#include <unistd.h>
#endif

#ifdef DAYBOOK_EFSW_COUNTS_OVERFLOWS
namespace efsw {
extern std::atomic<unsigned long> daybook_overflows;  // see cmake/efsw_patches.cmake
}
#endif

namespace daybook::watch {
namespace {

/// Why no watcher can be made at all; efsw would then quietly look at every file each second.
std::string missing_facility() {
#ifdef __linux__
  const int probe = ::inotify_init1(IN_CLOEXEC);
  if (probe < 0) {
    return "inotify is not to be had: " + std::generic_category().message(errno);
  }
  ::close(probe);
#endif
  return {};
}

std::string without_final_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  return path;
}

}  // namespace

class EfswSource::Listener final : public efsw::FileWatchListener {
 public:
  Listener(const std::string& workspace, const std::vector<std::string>& folders, HintSink& sink)
      : sink_(sink), folders_(folders.begin(), folders.end()) {
    for (const std::string& folder : folders) {
      by_full_path_.emplace(std::string(workspace).append("/").append(folder), folder);
    }
  }

  void handleFileAction(efsw::WatchID /*watch*/,
                        const std::string& folder,
                        const std::string& name,
                        efsw::Action action,
                        std::string old_name) override {
    const auto known = by_full_path_.find(without_final_slash(folder));
    if (known == by_full_path_.end()) {
      sink_.take({Hint::What::lost, {}});
      return;
    }
    const bool is_gone = action == efsw::Actions::Delete;
    tell(known->second, name, is_gone ? Hint::What::gone : Hint::What::changed);
    if (action == efsw::Actions::Moved) {
      tell(known->second, old_name, Hint::What::gone);
    }
  }

 private:
  void tell(const std::string& folder, const std::string& name, Hint::What what) {
    if (is_ignored(name)) {
      return;
    }
    std::string path = folder + "/" + name;
    const bool was_folder = folders_.contains(path);
    sink_.take({was_folder ? Hint::What::folder : what, std::move(path)});
  }

  HintSink& sink_;
  std::unordered_set<std::string> folders_;
  std::unordered_map<std::string, std::string> by_full_path_;  // -> workspace-relative
};

struct EfswSource::Watcher {
  std::unique_ptr<Listener> listener;  // outlives the thread that calls it
  efsw::FileWatcher watcher;
};

EfswSource::EfswSource() = default;
EfswSource::~EfswSource() = default;

Coverage EfswSource::watch(const std::string& workspace,
                           const std::vector<std::string>& folders,
                           HintSink& sink) {
  stop();
  Coverage coverage;
  coverage.asked = folders.size();
  coverage.trouble = missing_facility();
  const std::string kind =
      folders.empty() ? std::string() : silent_file_system(workspace + "/" + folders.front());
  if (!kind.empty()) {
    coverage.trouble = "changes by others are not reported on this file system (" + kind + ")";
  }
  if (!coverage.trouble.empty()) {
    return coverage;
  }
  watcher_ = std::make_unique<Watcher>();
  watcher_->listener = std::make_unique<Listener>(workspace, folders, sink);
  for (const std::string& folder : folders) {
    const efsw::WatchID id = watcher_->watcher.addWatch(
        std::string(workspace).append("/").append(folder), watcher_->listener.get(), false);
    if (id > 0) {
      ++coverage.watched;
    } else if (id != efsw::Errors::FileNotFound) {  // one that has just gone is no trouble
      coverage.trouble = efsw::Errors::Log::getLastErrorLog();
    }
  }
  watcher_->watcher.watch();
  return coverage;
}

void EfswSource::stop() { watcher_.reset(); }

std::uint64_t EfswSource::overflows() const {
#ifdef DAYBOOK_EFSW_COUNTS_OVERFLOWS
  return efsw::daybook_overflows.load();
#else
  return 0;
#endif
}

std::string EfswSource::backend() const {
#if defined(__linux__)
  return "inotify";
#elif defined(__APPLE__)
  return "fsevents";
#else
  return "kqueue";
#endif
}

}  // namespace daybook::watch
