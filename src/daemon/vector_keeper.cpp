// SPDX-License-Identifier: MIT
#include "daybook/daemon/vector_keeper.hpp"

#include "daemon/watch_log.hpp"

#include <utility>

namespace daybook::daemon {
namespace {

constexpr std::chrono::seconds kLongestPause{300};

}  // namespace

VectorKeeper::VectorKeeper(service::Pipeline& pipeline, std::function<void()> ended)
    : pipeline_(pipeline), ended_(std::move(ended)), schedule_(kLongestPause) {}

VectorKeeper::~VectorKeeper() {
  progress_.cancelled = true;
  pipeline_.stop_vectors();
}

void VectorKeeper::configure(const parse::EmbeddingConfig& config, Moment now) {
  if (config == config_) {
    schedule_.forget_pause();
    return;
  }
  config_ = config;
  progress_.cancelled = true;
  schedule_.forget_pause();
  trouble_.clear();
  passed(now);
}

void VectorKeeper::passed(Moment now) {
  if (config_.is_set()) {
    schedule_.want(now);
  }
}

void VectorKeeper::look(Moment now, service::PassRequest request) {
  take_outcome(now);
  if (!schedule_.is_due(now)) {
    return;
  }
  progress_.cancelled = false;
  if (stopped_) {
    return;  // stop() came before, and its wish must not be forgotten
  }
  schedule_.begun();
  pipeline_.begin_vectors(request, progress_, ended_);
}

void VectorKeeper::take_outcome(Moment now) {
  const auto outcome = pipeline_.take_vectors_outcome();
  if (!outcome) {
    return;
  }
  using End = TextSchedule::End;
  const bool is_busy = !*outcome && outcome->error().kind == ErrorKind::busy;
  const bool failed = !*outcome && !is_busy;
  const bool cut_off = is_busy || progress_.cancelled;
  schedule_.ended(failed ? End::failed : cut_off ? End::cut_off : End::complete, now);
  if (!config_.is_set()) {
    schedule_.give_up();
  }
  const std::string trouble = failed ? outcome->error().message : std::string();
  if (failed && trouble != trouble_) {
    tell(base::LogLevel::warning, trouble, outcome->error().path);
  }
  trouble_ = trouble;
}

void VectorKeeper::stop() {
  stopped_ = true;
  progress_.cancelled = true;
}

}  // namespace daybook::daemon
