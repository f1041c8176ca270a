// SPDX-License-Identifier: MIT
#include "daybook/daemon/watch_service.hpp"

#include "daybook/base/log.hpp"
#include "daybook/scan/folder_list.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <ctime>
#include <unistd.h>
#include <utility>

namespace daybook::daemon {
namespace {

using service::Extent;
using service::PassReport;
using service::PassRequest;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kHeartbeat{1};
/// For the pipeline lock and the lease: no longer, so that a wish to stop is soon heard.
constexpr milliseconds kWait{300};
/// An empty memory/ that is still itself is believed after that.
constexpr seconds kBelieveEmpty{2};
/// Up to so many files read a sweep's cost counts as that of looking alone.
constexpr std::uint64_t kHardlyAnyChange = 16;
/// In state.db: what memory/ was when a sweep last succeeded.
constexpr const char* kRootMeta = "watched_root";

watch::Moment now_steady() { return std::chrono::steady_clock::now(); }

std::chrono::nanoseconds cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

watch::SettleTimes settle_times(const parse::Config& config) {
  return {milliseconds(config.settle_ms), milliseconds(config.longest_ms)};
}

bool is_absence(const Error& error) {
  return error.kind == ErrorKind::no_workspace || error.kind == ErrorKind::not_found ||
         error.kind == ErrorKind::not_permitted || error.kind == ErrorKind::not_regular;
}

void tell(base::LogLevel level, std::string_view what, std::string_view path, double took = -1) {
  base::log(level, {"watch", what, path, took});
}

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
  return beats_ + progress_.files_done + progress_.bytes_done + text_progress_.bytes_done;
}

void WatchService::stop() {
  stopping_ = true;
  progress_.cancelled = true;
  text_progress_.cancelled = true;
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
  if (auto state = state::StateDb::open(folder_)) {
    if (auto root = state->meta(kRootMeta)) {
      settled_ = root->value_or("");
    }
  }
  settings_file_.remember({folder_.workspace() + "/" + std::string(parse::kConfigFile)});
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
  take_text_outcome();
  if (text_.is_due(now_steady())) {
    begin_text();
  }
  health_.write([this](Health& health) { health.queue = pending_.size(); });
}

void WatchService::take_hints(Moment until) {
  const auto hints = queue_.take_all(until);
  for (const watch::TimedHint& hint : hints) {
    pending_.note(hint);
  }
  if (const std::uint64_t overflows = source_.overflows(); overflows != overflows_) {
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
  for (const std::optional<Moment>& other : {pending_.next_due(), retry_.next(), text_.next()}) {
    next = other ? std::min(next, *other) : next;
  }
  return next;
}

/// A sweep waits for paths that do not rest yet, but not for a vault that never does.
WatchService::Moment WatchService::sweep_due_at() const {
  return schedule_.next() + (pending_.empty() ? milliseconds(0) : settle_times(config_).longest);
}

/// One that has waited comes after the paths that rest first, because it takes longer than people
/// wait for them; and again not later than a vault that never rests allows.
WatchService::Moment WatchService::owed_sweep_due_at() const {
  if (!sweep_owed_since_) {
    return Moment::max();
  }
  return pending_.empty() ? *sweep_owed_since_ : *sweep_owed_since_ + settle_times(config_).longest;
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
  pending_.set_times(settle_times(config));
  schedule_.set_interval(
      seconds(config.sweep_seconds),
      config.given.contains("watch.sweep_seconds") ? Stretch::forbidden : Stretch::allowed);
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
    tell(base::LogLevel::error, config.error().message, config.error().path);
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

PassRequest WatchService::request_for(Extent extent) const {
  PassRequest request;
  request.extent = extent;
  request.text = service::Text::without_full_text;
  request.command = "daybook watch";
  request.wait = kWait;
  request.counting = service::Counting::not_wanted;
  request.emptiness = service::Emptiness::doubted;
  request.config = config_;
  return request;
}

void WatchService::follow(std::vector<std::string> paths) {
  const bool folder_came = std::any_of(
      paths.begin(), paths.end(), [this](const std::string& path) { return names_folder(path); });
  if (folder_came) {
    rewatch();
    sweep(Cause::doubt);
    return;
  }
  PassRequest request = request_for(Extent::changes);
  request.hints = std::move(paths);
  const auto report = pass(std::move(request));
  if (!report) {
    failed(report.error());
    return;
  }
  if (report->emptied) {
    sweep(Cause::doubt);  // it decides what that means
    return;
  }
  health_.write([](Health& health) { ++health.narrow_passes; });
  passed(*report);
}

void WatchService::sweep(Cause cause) {
  sweep_owed_since_.reset();
  if (rewatch_owed_) {
    rewatch();
  }
  const auto cpu_before = cpu_time();
  const std::uint64_t hints_before = hints_ + queue_.size();
  const auto root =
      daemon::look_at_root(folder_.workspace() + "/" + std::string(scan::kMemoryFolder));
  PassRequest request = request_for(Extent::changes);
  const bool believe = emptied_since_ && now_steady() - *emptied_since_ >= kBelieveEmpty;
  request.emptiness = believe ? service::Emptiness::believed : service::Emptiness::doubted;
  const auto report = pass(std::move(request));
  const Moment now = now_steady();
  const double chance = std::uniform_real_distribution<double>(0, 1)(chance_);
  schedule_.swept(now, backend_, chance);
  if (!report) {
    failed(report.error());
    return;
  }
  if (stopping_) {
    return;
  }
  if (report->emptied) {
    found_empty(root, now);
    return;
  }
  emptied_since_.reset();
  const std::uint64_t changes = report->added + report->changed + report->removed;
  const std::chrono::nanoseconds cost = cpu_time() - cpu_before;
  if (progress_.files_total <= kHardlyAnyChange) {
    schedule_.measured(std::chrono::duration_cast<SweepSchedule::Duration>(cost));
    schedule_.swept(now, backend_, chance);
  }
  if (cause == Cause::timer && changes > 0 && backend_ == Backend::events) {
    const auto patience = settle_times(config_).settle + milliseconds(100);
    hearing_.doubt(hints_before, now + patience);
  }
  settle_root(root);
  // Only this makes up for what a pass that failed has left undone.
  retry_.made_up();
  health_.mend(degraded::kPassFailed);
  health_.write([&](Health& health) {
    health.last_error.clear();
    ++health.sweeps;
    health.rescans += cause == Cause::doubt ? 1 : 0;
    health.last_sweep = lineage::Timestamp{clock_.now_ms()};
    health.last_sweep_seconds = std::chrono::duration<double>(cost).count();
    health.sweep_interval_seconds =
        std::chrono::duration<double>(schedule_.interval(backend_)).count();
  });
  passed(*report);
  come_back();
}

/// memory/ has no note left. One that is still itself was emptied by somebody; another one was
/// perhaps unmounted, or is being restored.
void WatchService::found_empty(const std::optional<RootIdentity>& root, Moment now) {
  set_state(State::retrying);
  if (root && settled_ == root->lasting()) {
    if (!emptied_since_) {
      emptied_since_ = now;
    }
    retry_.expect(*emptied_since_ + kBelieveEmpty);
    return;
  }
  go_away(degraded::kVaultEmptied,
          "memory/ is another folder than before, and there is no note in it");
}

void WatchService::settle_root(const std::optional<RootIdentity>& root) {
  if (!root || settled_ == root->lasting()) {
    return;
  }
  settled_ = root->lasting();
  if (auto state = state::StateDb::open(folder_)) {
    // Not worth a failure: without it an empty folder is doubted after a restart.
    static_cast<void>(state->put_meta(kRootMeta, settled_));
  }
}

void WatchService::publish() {
  const auto report = pass(request_for(Extent::nothing));
  report ? passed(*report) : failed(report.error());
}

/// A search can wait for its full text, an agent that reads MEMORY.md should not: it is made beside
/// the passes, by one thread, so that it is in nobody's way.
void WatchService::begin_text() {
  text_progress_.cancelled = false;
  if (stopping_) {
    return;  // stop() may have come in between
  }
  PassRequest request = request_for(Extent::nothing);
  request.threads = 1;
  text_.begun();
  pipeline_.begin_text(request, text_progress_, [this] { queue_.wake(); });
}

void WatchService::take_text_outcome() {
  const auto done = pipeline_.take_text_outcome();
  if (!done) {
    return;
  }
  const bool complete = *done && !text_progress_.cancelled;
  text_.ended(complete ? TextSchedule::End::complete : TextSchedule::End::cut_off, now_steady());
  const std::string trouble = *done ? std::string() : done->error().message;
  if (!trouble.empty() && done->error().kind != ErrorKind::busy && trouble != text_trouble_) {
    tell(base::LogLevel::warning, trouble, done->error().path);
  }
  text_trouble_ = trouble;
}

/// A change that a timer's sweep found and no event told: the watcher has gone deaf.
void WatchService::judge_hearing(Moment now) {
  if (!hearing_.proves_deaf(hints_ + queue_.size(), now)) {
    return;
  }
  health_.write([](Health& health) { ++health.deaf; });
  tell(base::LogLevel::warning, "a change was not reported: the watcher is made anew", {});
  rewatch();
  sweep(Cause::doubt);
}

Result<PassReport> WatchService::pass(PassRequest request) {
  set_state(State::working);
  progress_.files_done = 0;
  progress_.files_total = 0;
  pass_began_ = lineage::Timestamp{clock_.now_ms()};
  auto report = pipeline_.run(request, progress_);
  if (report && !stopping_) {
    tell(base::LogLevel::info,
         request.extent == Extent::nothing ? std::string("looked at MEMORY.md")
         : report->narrow ? "followed " + std::to_string(request.hints.size()) + " changed paths"
                          : "looked at " + std::to_string(report->scanned) + " files",
         folder_.workspace(),
         report->seconds);
  }
  return report;
}

void WatchService::passed(const PassReport& report) {
  for (const std::string& notice : report.notices) {
    if (std::find(told_.begin(), told_.end(), notice) == told_.end()) {
      tell(base::LogLevel::warning, notice, {});
    }
  }
  told_ = report.notices;
  std::uint64_t written = 0;
  std::vector<std::string> paths;
  for (const service::PublishedProjection& projection : report.projections) {
    written += projection.written ? 1 : 0;
    paths.push_back(folder_.workspace() + "/" + projection.path);
  }
  if (!report.projections.empty()) {
    projections_.remember(std::move(paths));
  }
  health_.write([&](Health& health) {
    health.publications += written;
    health.generation = std::max(health.generation, report.generation);
    if (written > 0) {
      health.last_publication = lineage::Timestamp{clock_.now_ms()};
    }
  });
  if (report.rows_changed || !text_known_) {
    text_known_ = true;
    text_.want(now_steady());
  }
  if (report.rows_changed || !report.narrow) {
    plan_window();
  }
  // A pass for something else does not make up for what another one has left undone.
  set_state(retry_.next() ? State::retrying : State::watching);
}

void WatchService::failed(const Error& error) {
  if (stopping_) {
    return;
  }
  const bool is_busy = error.kind == ErrorKind::busy;
  retry_.failed(now_steady(), is_busy ? Obstacle::busy : Obstacle::failure);
  const std::string memory = folder_.workspace() + "/" + std::string(scan::kMemoryFolder);
  // It may be back by now: what the pass met counts, too.
  const bool is_gone = error.path == memory || !daemon::look_at_root(memory);
  if (is_gone || is_absence(error)) {
    go_away(degraded::kVaultAway, error.message);
    return;
  }
  const bool is_news = health_.read().last_error != error.message;
  health_.write([&](Health& health) {
    health.failures += is_busy ? 0 : 1;
    health.last_error = error.message;
  });
  if (!is_busy) {
    health_.degrade(degraded::kPassFailed);
  }
  if (is_news) {
    tell(is_busy ? base::LogLevel::info : base::LogLevel::error, error.message, error.path);
  }
  set_state(State::retrying);
}

void WatchService::go_away(std::string_view reason, const std::string& why) {
  if (!away_) {
    tell(base::LogLevel::warning, why + ": what is known is kept until it is back", {});
  }
  away_ = true;
  health_.degrade(reason);
  health_.write([&](Health& health) { health.last_error = why; });
  set_state(State::away);
}

void WatchService::come_back() {
  if (away_) {
    tell(base::LogLevel::info, "memory/ is back", folder_.workspace());
  }
  away_ = false;
  health_.mend(degraded::kVaultAway);
  health_.mend(degraded::kVaultEmptied);
  set_state(State::watching);
}

void WatchService::plan_window() {
  // As of when the pass began: what has entered or left since then is due at once.
  const auto next = pipeline_.next_window_change(pass_began_);
  window_at_ms_.reset();
  if (next && *next) {
    window_at_ms_ = (*next)->ms;
  }
}

void WatchService::set_state(State state) {
  const bool stays_away = away_ && (state == State::watching || state == State::retrying);
  health_.write([&](Health& health) { health.state = stays_away ? State::away : state; });
}

}  // namespace daybook::daemon
