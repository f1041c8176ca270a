// SPDX-License-Identifier: MIT
#include "daybook/daemon/vector_keeper.hpp"

#include <utility>

namespace daybook::daemon {
namespace {

constexpr std::chrono::seconds kLongestPause{300};

}  // namespace

VectorKeeper::VectorKeeper(service::Pipeline& pipeline, std::function<void()> ended)
    : pipeline_(pipeline), ended_(std::move(ended)), work_(kLongestPause) {}

VectorKeeper::~VectorKeeper() { pipeline_.stop_vectors(); }

void VectorKeeper::configure(const parse::EmbeddingConfig& config, Moment now) {
  if (config == config_) {
    work_.forget_pause();
    return;
  }
  config_ = config;
  work_.start_over();
  passed(now);
}

void VectorKeeper::passed(Moment now) {
  if (config_.is_set()) {
    work_.want(now);
  }
}

void VectorKeeper::look(Moment now, const service::PassRequest& request) {
  if (const auto outcome = pipeline_.take_vectors_outcome()) {
    work_.ended(*outcome, now);
    if (!config_.is_set()) {
      work_.give_up();
    }
  }
  if (work_.take_due(now)) {
    pipeline_.begin_vectors(request, work_.progress(), ended_);
  }
}

}  // namespace daybook::daemon
