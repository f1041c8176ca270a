// SPDX-License-Identifier: MIT
#include "daybook/watch/hint_queue.hpp"

#include <utility>

namespace daybook::watch {

void HintQueue::take(Hint hint) {
  const Moment now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (hints_.size() >= most_) {
    hints_.clear();
    hint = {Hint::What::lost, {}};
    ++overflows_;
  }
  hints_.push_back({std::move(hint), now});
  changed_.notify_one();
}

void HintQueue::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_one();
}

std::vector<TimedHint> HintQueue::take_all(Moment until) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, until, [this] { return !hints_.empty() || woken_; });
  woken_ = false;
  return std::exchange(hints_, {});
}

std::size_t HintQueue::size() const {
  const std::lock_guard lock(mutex_);
  return hints_.size();
}

std::uint64_t HintQueue::overflows() const {
  const std::lock_guard lock(mutex_);
  return overflows_;
}

}  // namespace daybook::watch
