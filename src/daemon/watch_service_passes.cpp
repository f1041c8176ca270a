// SPDX-License-Identifier: MIT
//
// The passes of the service, and what becomes of it by their outcome.
#include "daemon/watch_log.hpp"
#include "daybook/base/log.hpp"
#include "daybook/daemon/watch_service.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace daybook::daemon {
namespace {

using service::Extent;
using service::PassReport;
using service::PassRequest;
using std::chrono::milliseconds;
using std::chrono::seconds;

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

bool is_absence(const Error& error) {
  return error.kind == ErrorKind::no_workspace || error.kind == ErrorKind::not_found ||
         error.kind == ErrorKind::not_permitted || error.kind == ErrorKind::not_regular;
}

}  // namespace

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
  const auto report = pass(request);
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
  const auto report = pass(request);
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
  // The time of the processor is that of all threads.
  if (progress_.files_total <= kHardlyAnyChange && !text_.is_under_way()) {
    schedule_.measured(std::chrono::duration_cast<SweepSchedule::Duration>(cost));
    schedule_.swept(now, backend_, chance);
  }
  if (cause == Cause::timer && changes > 0 && backend_ == Backend::events) {
    const auto patience = pending_.times().settle + milliseconds(100);
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

void WatchService::recall_settled_root() {
  if (auto state = state::StateDb::open(folder_)) {
    if (auto root = state->meta(kRootMeta)) {
      settled_ = root->value_or("");
    }
  }
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

Result<PassReport> WatchService::pass(const PassRequest& request) {
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
  text_.passed(now_steady());
  vectors_.passed(now_steady());
  // Whatever this pass has found: a command beside the service may have brought rows in before it.
  plan_window();
  // A pass for something else does not make up for what another one has left undone.
  set_state(retry_.next() ? State::retrying : State::watching);
}

void WatchService::failed(const Error& error) {
  if (stopping_) {
    return;
  }
  text_.passed(now_steady());
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
