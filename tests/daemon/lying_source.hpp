// SPDX-License-Identifier: MIT
//
// A watcher that lies: hands on what the real one says, but drops half of it, tells it twice, names
// other paths, or says nothing at all. On the threads of the real one.
#pragma once

#include "daybook/watch/efsw_source.hpp"

#include <atomic>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace daybook::daemon {

enum class Lie { drops_half, doubles, wrong_paths, deaf };

class LyingSource final : public watch::EventSource, private watch::HintSink {
 public:
  explicit LyingSource(Lie lie, std::uint64_t seed = 7) : lie_(lie), random_(seed) {}

  watch::Coverage watch(const std::string& workspace,
                        const std::vector<std::string>& folders,
                        watch::HintSink& sink) override {
    real_.stop();
    sink_ = &sink;
    ++watched_;
    return real_.watch(workspace, folders, *this);
  }
  void stop() override { real_.stop(); }
  std::string backend() const override { return real_.backend(); }
  std::uint64_t overflows() const override { return 0; }
  int watched() const { return watched_; }

 private:
  void take(watch::Hint hint) override {
    const std::lock_guard lock(mutex_);
    switch (lie_) {
      case Lie::drops_half:
        if (random_() % 2 == 0) {
          return;
        }
        break;
      case Lie::doubles:
        sink_->take(hint);
        break;
      case Lie::wrong_paths:
        hint.path += random_() % 2 == 0 ? ".md" : "/../../../etc/passwd";
        break;
      case Lie::deaf:
        return;
    }
    sink_->take(std::move(hint));
  }

  Lie lie_;
  watch::EfswSource real_;
  watch::HintSink* sink_ = nullptr;
  std::atomic<int> watched_{0};
  std::mutex mutex_;
  std::mt19937_64 random_;  // guarded by mutex_
};

}  // namespace daybook::daemon
