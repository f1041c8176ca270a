// SPDX-License-Identifier: MIT
#include "service/side_thread.hpp"

#include <utility>

namespace daybook::service {

void SideThread::begin(WorkProgress& progress,
                       std::function<Result<std::uint64_t>()> work,
                       std::function<void()> ended) {
  stop();
  progress_ = &progress;
  outcome_.reset();
  has_ended_ = false;
  thread_ = std::thread([this, work = std::move(work), ended = std::move(ended)] {
    outcome_.emplace(work());
    has_ended_ = true;
    ended();
  });
}

std::optional<Result<std::uint64_t>> SideThread::take_outcome() {
  if (!has_ended_) {
    return std::nullopt;
  }
  stop();
  return std::exchange(outcome_, std::nullopt);
}

void SideThread::stop() {
  if (thread_.joinable()) {
    if (!has_ended_) {
      progress_->cancelled = true;
    }
    thread_.join();
  }
}

}  // namespace daybook::service
