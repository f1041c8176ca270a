// SPDX-License-Identifier: MIT
//
// What is due: hints, deadlines, the look once a second, settings, the watcher. What passes do and
// mean is in watch_service_passes.cpp.
#include "daybook/daemon/watch_service.hpp"

#include "daemon/watch_log.hpp"
#include "daybook/base/log.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/scan/folder_list.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/workspace_config.hpp"

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace daybook::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kHeartbeat{1};

watch::Moment now_steady() { return std::chrono::steady_clock::now(); }

}  // namespace

WatchService::WatchService(base::Disk& disk,
                           const state::StateFolder& folder,
                           const base::Clock& clock,
                           watch::EventSource& source,
                           Listener listener)
    : disk_(disk),
      folder_(folder),
      clock_(clock),
      source_(source),
      listener_(std::move(listener)),
      pipeline_(disk, folder, clock, service::Keeping::between_runs),
      text_(pipeline_, [this] { queue_.wake(); }),
      vectors_(pipeline_, [this] { queue_.wake(); }),
      pending_(watch::SettleTimes{}),
      schedule_(seconds(60)),
      chance_(std::random_device{}()) {}

Health WatchService::health() const {
  Health health = health_.read();
  health.queue += queue_.size();
  health.overflows += queue_.overflows();
  health.files_done = progress_.files_done;
  health.files_total = progress_.files_total;
  return health;
}

std::uint64_t WatchService::pulse() const {
  return beats_ + progress_.files_done + progress_.bytes_done;
}

void WatchService::stop() {
  stopping_ = true;
  progress_.cancelled = true;
  text_.stop();
  vectors_.stop();
  queue_.wake();
}

void WatchService::reload() {
  reload_wanted_ = true;
  queue_.wake();
}

Result<void> WatchService::run() {
  TRY(begin());
  while (!stopping_) {
    turn();
  }
  set_state(State::stopping);
  source_.stop();
  pipeline_.stop_text();
  pipeline_.stop_vectors();
  tell(base::LogLevel::info, "stopped", folder_.workspace());
  return {};
}

Result<void> WatchService::begin() {
  TRY_ASSIGN(const parse::Config config, service::load_config(disk_, folder_.workspace()));
  load_settings(config);
  health_.write([this](Health& health) {
    health.pid = ::getpid();
    health.started = lineage::Timestamp{clock_.now_ms()};
  });
  recall_settled_root();
  settings_file_.remember({folder_.workspace() + "/" + std::string(parse::kConfigFile),
                           folder_.file(service::kReembedMark)});
  overflows_ = source_.overflows();
  next_beat_ = now_steady() + kHeartbeat;
  clock_guard_.look(read_clocks());
  // Watching begins before the first look: what happens in between is heard.
  rewatch();
  sweep(Cause::start);
  if (!stopping_ && listener_.ready) {
    listener_.ready();
  }
  return {};
}

void WatchService::turn() {
  take_hints(next_deadline());
  if (stopping_) {
    return;
  }
  ++beats_;
  const Moment now = now_steady();
  if (reload_wanted_.exchange(false)) {
    reload_config();
  }
  if (now >= next_beat_) {
    heartbeat(now);
  }
  judge_hearing(now);
  act(now);
  text_.look(now_steady(), request_for(service::Extent::nothing));
  vectors_.look(now_steady(), request_for(service::Extent::nothing));
  health_.write([this](Health& health) { health.queue = pending_.size(); });
}

void WatchService::take_hints(Moment until) {
  const auto hints = queue_.take_all(until);
  for (const watch::TimedHint& hint : hints) {
    pending_.note(hint);
  }
  if (const std::uint64_t overflows = source_.overflows();
      base::keeps(base::Safety::overflow_detection) && overflows != overflows_) {
    health_.write([&](Health& health) { health.overflows += overflows - overflows_; });
    overflows_ = overflows;
    pending_.note({{watch::Hint::What::lost, {}}, now_steady()});
    tell(base::LogLevel::warning, "events were dropped: every file is looked at", {});
  }
  hints_ += hints.size();
  health_.write([&](Health& health) {
    health.events += hints.size();
    health.queue = pending_.size();
    if (!hints.empty()) {
      health.last_event = lineage::Timestamp{clock_.now_ms()};
    }
  });
}

WatchService::Moment WatchService::next_deadline() const {
  Moment next = std::min({next_beat_, sweep_due_at(), owed_sweep_due_at()});
  for (const std::optional<Moment>& other :
       {pending_.next_due(), retry_.next(), text_.next(), vectors_.next()}) {
    next = other ? std::min(next, *other) : next;
  }
  return next;
}

/// A sweep waits for paths that do not rest yet, but not for a vault that never does.
WatchService::Moment WatchService::sweep_due_at() const {
  if (!base::keeps(base::Safety::periodic_sweep)) {
    return Moment::max();
  }
  return schedule_.next() + (pending_.empty() ? milliseconds(0) : pending_.times().longest);
}

/// One that has waited comes after the paths that rest first, because it takes longer than people
/// wait for them; and again not later than a vault that never rests allows.
WatchService::Moment WatchService::owed_sweep_due_at() const {
  if (!sweep_owed_since_) {
    return Moment::max();
  }
  return pending_.empty() ? *sweep_owed_since_ : *sweep_owed_since_ + pending_.times().longest;
}

/// Once a second: what no event tells.
void WatchService::heartbeat(Moment now) {
  next_beat_ = now + kHeartbeat;
  const ClockGuard::Jump jump = clock_guard_.look(read_clocks());
  if (jump != ClockGuard::Jump::none) {
    tell(base::LogLevel::info,
         jump == ClockGuard::Jump::slept ? "the machine slept: every file is looked at"
                                         : "the clock was set: every file is looked at",
         {});
    pending_.note({{watch::Hint::What::lost, {}}, now});
  }
  look_at_root(now);
  if (window_at_ms_ && clock_.now_ms() >= *window_at_ms_) {
    window_at_ms_.reset();
    publish();
  }
  if (settings_file_.altered()) {
    reload_config();
  }
  if (listener_.beat) {
    listener_.beat(now);
  }
  if (!away_ && projections_.altered()) {
    tell(base::LogLevel::info, "MEMORY.md was altered or deleted: it is looked after", {});
    publish();
  }
}

void WatchService::look_at_root(Moment now) {
  const auto root =
      daemon::look_at_root(folder_.workspace() + "/" + std::string(scan::kMemoryFolder));
  if (root == root_) {
    return;
  }
  if (!root) {
    root_.reset();
    go_away(degraded::kVaultAway, "memory/ is not there");
    return;
  }
  tell(base::LogLevel::info, "memory/ is another folder than before", folder_.workspace());
  pending_.note({{watch::Hint::What::lost, {}}, now});
  root_ = root;
}

void WatchService::load_settings(const parse::Config& config) {
  config_ = config;
  pending_.set_times({milliseconds(config.settle_ms), milliseconds(config.longest_ms)});
  schedule_.set_interval(
      seconds(config.sweep_seconds),
      config.given.contains("watch.sweep_seconds") ? Stretch::forbidden : Stretch::allowed);
  vectors_.configure(config.embeddings, now_steady());
  health_.mend(degraded::kConfigError);
}

void WatchService::reload_config() {
  if (listener_.reloading) {
    listener_.reloading();
  }
  const auto config = service::load_config(disk_, folder_.workspace());
  if (config) {
    load_settings(*config);
    tell(base::LogLevel::info,
         "read the configuration again",
         config->given.empty() ? "" : "daybook.yaml");
  } else {
    const Error& error = config.error();
    tell(base::LogLevel::error,
         error.hint.empty() ? error.message : error.message + " (" + error.hint + ")",
         error.path);
    health_.degrade(degraded::kConfigError);
  }
  pending_.clear();
  rewatch();
  sweep(Cause::doubt);
  if (listener_.reloaded) {
    listener_.reloaded();
  }
}

/// The watcher made anew, over the folders that are there now.
void WatchService::rewatch() {
  const std::string memory = folder_.workspace() + "/" + std::string(scan::kMemoryFolder);
  root_ = daemon::look_at_root(memory);
  const auto folders = scan::list_folders(disk_, folder_.workspace());
  watch::Coverage coverage;
  if (folders) {
    coverage = source_.watch(folder_.workspace(), *folders, queue_);
  } else {
    source_.stop();
  }
  rewatch_owed_ = !folders;
  backend_ = folders && coverage.trouble.empty() ? Backend::events : Backend::polling;
  const bool is_news = health_.read().trouble != coverage.trouble;
  health_.write([&](Health& health) {
    ++health.rewatches;
    health.backend = backend_ == Backend::events ? source_.backend() : "polling";
    health.trouble = coverage.trouble;
    health.folders = coverage.asked;
    health.folders_watched = coverage.watched;
  });
  if (folders && backend_ == Backend::polling) {
    if (is_news) {
      tell(base::LogLevel::warning, "polling, because " + coverage.trouble, memory);
    }
    health_.degrade(degraded::kPolling);
  } else {
    health_.mend(degraded::kPolling);
  }
}

void WatchService::act(Moment now) {
  if (stopping_) {
    return;
  }
  const watch::Due due = pending_.take_due(now);
  // Of a vault that was away, single paths say too little.
  if (due.everything || (away_ && !due.paths.empty())) {
    if (due.folders || away_) {
      rewatch();
    }
    sweep(Cause::doubt);
  } else if (!due.paths.empty()) {
    const auto before = root_;
    look_at_root(now);
    if (!away_ && root_ == before) {
      follow(due.paths);
    } else {
      pending_.note({{watch::Hint::What::lost, {}}, now});  // memory/ is not what it was
    }
  } else if (retry_.take_due(now)) {
    sweep(Cause::retry);
  } else if (now >= sweep_due_at()) {
    if (pending_.empty()) {
      sweep(Cause::timer);
    } else {
      sweep_owed_since_ = now;
      schedule_.swept(now, backend_, 0.5);
    }
  }
  if (now >= owed_sweep_due_at() && !stopping_) {
    sweep(Cause::doubt);
  }
}

bool WatchService::names_folder(const std::string& path) const {
  return daemon::look_at_root(folder_.workspace() + "/" + path).has_value();
}

}  // namespace daybook::daemon
