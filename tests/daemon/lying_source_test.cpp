// SPDX-License-Identifier: MIT
//
// A watcher that lies costs time and never truth: one sweep sets it right.
#include "daemon/storm.hpp"
#include "daemon/watched_vault.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <mutex>
#include <random>

namespace daybook::daemon {
namespace {

enum class Lie { drops_half, doubles, wrong_paths, deaf };

/// Hands on what the real one says, changed.
class LyingSource final : public watch::EventSource, private watch::HintSink {
 public:
  explicit LyingSource(Lie lie) : lie_(lie) {}

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
  std::mt19937_64 random_{7};  // guarded by mutex_
};

}  // namespace

TEST_CASE("Whatever the watcher tells, one sweep later everything equals a rebuild") {
  const Lie lie = GENERATE(Lie::drops_half, Lie::doubles, Lie::wrong_paths, Lie::deaf);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO("lie " << static_cast<int>(lie) << ", seed " << seed);
    LyingSource source(lie);  // outlives the service
    WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
    watched.vault().add(flow::session(0, flow::Naming::by_path));
    watched.start(source);
    Storm(watched.vault(), seed).rage(100);
    INFO(watched.difference());
    REQUIRE(watched.equals_rebuild());
    watched.stop();
  }
}

TEST_CASE("A deaf watcher is noticed, counted and made anew") {
  LyingSource source(Lie::deaf);
  WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
  watched.vault().add(flow::session(0, flow::Naming::by_path));
  watched.start(source);
  REQUIRE(source.watched() == 1);
  CHECK(watched.health().deaf == 0);
  watched.vault().add(flow::session(1, flow::Naming::by_path));
  CHECK(watched.shows("session=key-1 "));
  CHECK(support::eventually([&] { return watched.health().deaf == 1; }));
  CHECK(support::eventually([&] { return source.watched() == 2; }));
  watched.stop();
}

TEST_CASE("A watcher that hears is not taken for deaf, however often every file is looked at") {
  WatchedVault watched("watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 1\n");
  watched.vault().add(flow::session(0, flow::Naming::by_path));
  watched.start();
  for (int i = 1; i < 30; ++i) {
    if (i % 5 == 0) {
      continue;  // another agent's
    }
    watched.vault().add(flow::session(i, flow::Naming::by_path));
    REQUIRE(watched.shows("session=key-" + std::to_string(i) + " "));
  }
  const std::uint64_t sweeps = watched.health().sweeps;
  REQUIRE(support::eventually([&] { return watched.health().sweeps > sweeps + 1; }));
  CHECK(watched.health().deaf == 0);
}

}  // namespace daybook::daemon
