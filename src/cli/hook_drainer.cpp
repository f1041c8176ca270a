// SPDX-License-Identifier: MIT
#include "cli/hook_drainer.hpp"

#include "daybook/base/log.hpp"
#include "daybook/capture/hook_spool.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/host/this_program.hpp"

#include <algorithm>

namespace daybook::cli {
namespace {

constexpr std::chrono::seconds kFirstPause{5};
constexpr std::chrono::seconds kLongestPause{300};
/// A snapshot becomes a session after a day; looking for that is enough once an hour.
constexpr std::chrono::hours kBetweenSnapshotLooks{1};

}  // namespace

HookDrainer::HookDrainer(const state::StateFolder& folder, const Settings& settings)
    : folder_(folder),
      arguments_{"--workspace",
                 folder.workspace(),
                 "--state-dir",
                 folder.path(),
                 "--quiet",
                 "capture",
                 "drain",
                 "--wait",
                 "--no-publish"} {
  if (settings.now) {
    arguments_.insert(arguments_.begin(), {"--now", lineage::to_string(*settings.now)});
  }
}

std::set<std::string> HookDrainer::hooks() const {
  const auto names = capture::spooled_names(base::real_disk(), folder_, capture::kHookSuffix);
  return names ? std::set(names->begin(), names->end()) : std::set<std::string>();
}

bool HookDrainer::has_work(std::chrono::steady_clock::time_point now) {
  // One that can never be captured must not keep those back that have come since.
  const std::set<std::string> there = hooks();
  const bool any_new = std::any_of(
      there.begin(), there.end(), [this](const auto& name) { return !left_.contains(name); });
  if (any_new || (!there.empty() && now >= not_before_)) {
    return true;
  }
  if (now < next_snapshot_look_ || now < not_before_) {
    return false;
  }
  next_snapshot_look_ = now + kBetweenSnapshotLooks;
  const auto names = capture::spooled_names(base::real_disk(), folder_, capture::kSnapshotSuffix);
  return names && !names->empty();
}

void HookDrainer::look(std::chrono::steady_clock::time_point now) {
  if (const auto end = child_.take_end()) {
    ended(*end, now);
  }
  if (stopped_ || child_.is_running() || !has_work(now)) {
    return;
  }
  auto program = host::this_program_now();
  auto started = program ? child_.start(*program, arguments_) : Result<void>(program.error());
  if (!started) {
    base::log(base::LogLevel::error, {"spool", started.error().message, started.error().path});
    ended(1, now);
  }
}

void HookDrainer::ended(int exit_code, std::chrono::steady_clock::time_point now) {
  if (exit_code == 0) {
    left_.clear();
    pause_ = std::chrono::seconds(0);
    base::log(base::LogLevel::info, {"spool", "captured what hooks had left"});
    return;
  }
  pause_ = std::min(std::max(2 * pause_, kFirstPause), kLongestPause);
  not_before_ = now + pause_;
  left_ = hooks();
  base::log(base::LogLevel::warning,
            {"spool", "something of what hooks left could not be captured; it stays in the spool"});
}

void HookDrainer::stop() {
  stopped_ = true;
  child_.kill();
}

}  // namespace daybook::cli
