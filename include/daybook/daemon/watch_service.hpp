// SPDX-License-Identifier: MIT
//
// The program that stays: hints from the watcher -> passes of the pipeline, so that rows and
// MEMORY.md follow the files. Hints are never believed: what has changed is read from the disk, and
// every file is looked at after any doubt and now and then anyway, so that a watcher that loses
// events costs time and never truth. run() is the one control thread; stop(), reload() and health()
// may be called on any other. A pass that fails is tried again; nothing is lost by ending anywhere.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/daemon/clock_guard.hpp"
#include "daybook/daemon/file_guard.hpp"
#include "daybook/daemon/health.hpp"
#include "daybook/daemon/hearing.hpp"
#include "daybook/daemon/retry_timer.hpp"
#include "daybook/daemon/root_identity.hpp"
#include "daybook/daemon/sweep_schedule.hpp"
#include "daybook/daemon/text_keeper.hpp"
#include "daybook/daemon/vector_keeper.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/watch/event_source.hpp"
#include "daybook/watch/hint_queue.hpp"
#include "daybook/watch/pending_paths.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace daybook::daemon {

/// What the service has to tell whoever started it. Called on the control thread.
struct Listener {
  std::function<void()> ready;  ///< the first look at every file has ended
  std::function<void()> reloading;
  std::function<void()> reloaded;
  std::function<void(watch::Moment now)> beat = {};  ///< once a second; must not take long
};

class WatchService {
 public:
  /// All must outlive it.
  WatchService(base::Disk& disk,
               const state::StateFolder& folder,
               const base::Clock& clock,
               watch::EventSource& source,
               Listener listener);

  /// Until stop(). Fails only when it cannot even begin: a wrong configuration, no workspace.
  Result<void> run();

  void stop();
  /// Reads daybook.yaml again; a wrong one is told, and the old one stays.
  void reload();
  Health health() const;
  /// Grows as long as the service does anything at all: for a watchdog.
  std::uint64_t pulse() const;

 private:
  using Moment = watch::Moment;
  enum class Cause { start, doubt, timer, retry };

  Result<void> begin();
  void turn();
  void take_hints(Moment until);
  Moment next_deadline() const;
  Moment sweep_due_at() const;
  Moment owed_sweep_due_at() const;
  void heartbeat(Moment now);
  void look_at_root(Moment now);
  void load_settings(const parse::Config& config);
  void reload_config();
  void rewatch();
  void act(Moment now);
  void follow(std::vector<std::string> paths);
  void sweep(Cause cause);
  void found_empty(const std::optional<RootIdentity>& root, Moment now);
  void recall_settled_root();
  void settle_root(const std::optional<RootIdentity>& root);
  void publish();
  void judge_hearing(Moment now);
  Result<service::PassReport> pass(const service::PassRequest& request);
  void passed(const service::PassReport& report);
  void failed(const Error& error);
  void go_away(std::string_view reason, const std::string& why);
  void come_back();
  void plan_window();
  void set_state(State state);
  bool names_folder(const std::string& path) const;
  service::PassRequest request_for(service::Extent extent) const;

  base::Disk& disk_;
  const state::StateFolder& folder_;
  const base::Clock& clock_;
  watch::EventSource& source_;
  Listener listener_;

  // Shared with other threads:
  std::atomic<bool> stopping_{false};
  std::atomic<bool> reload_wanted_{false};
  std::atomic<std::uint64_t> beats_{0};
  service::WorkProgress progress_;  // of the pass at hand
  HealthBoard health_;
  watch::HintQueue queue_;

  service::Pipeline pipeline_;  // the control thread's own
  TextKeeper text_;             // after what it uses on other threads
  VectorKeeper vectors_;

  // The control thread's own:
  parse::Config config_;
  watch::PendingPaths pending_;
  SweepSchedule schedule_;
  ClockGuard clock_guard_;
  std::mt19937_64 chance_;
  Backend backend_ = Backend::polling;
  std::optional<RootIdentity> root_;  // as it was when it was last watched
  std::string settled_;               // what it was when a sweep last succeeded
  bool away_ = false;
  std::optional<Moment> emptied_since_;
  bool rewatch_owed_ = false;               // the folders could not be listed
  std::optional<Moment> sweep_owed_since_;  // the timer's, that waits for paths to rest
  std::uint64_t overflows_ = 0;
  std::uint64_t hints_ = 0;  // taken since the start
  Hearing hearing_;
  RetryTimer retry_;
  lineage::Timestamp pass_began_;
  std::optional<std::int64_t> window_at_ms_;  // wall time
  Moment next_beat_{};
  std::vector<std::string> told_;  // notices of the last pass: what goes on is told once
  FileGuard projections_;
  FileGuard settings_file_;
};

}  // namespace daybook::daemon
