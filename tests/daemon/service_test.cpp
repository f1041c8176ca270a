// SPDX-License-Identifier: MIT
#include "daemon/watched_vault.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "flow/disturbance.hpp"
#include "support/learning_note.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace daybook::daemon {
namespace {

namespace fs = std::filesystem;
using flow::Naming;
using flow::session;
using support::eventually;

/// Time that a test sets.
class SetClock final : public base::Clock {
 public:
  std::int64_t now_ms() const override { return now; }
  std::atomic<std::int64_t> now{support::kTestNow};
};

/// Tells of what a test says, and of nothing by itself.
class ToldSource final : public watch::EventSource {
 public:
  watch::Coverage watch(const std::string&,
                        const std::vector<std::string>& folders,
                        watch::HintSink& sink) override {
    sink_ = &sink;
    return {folders.size(), folders.size(), {}};
  }
  void stop() override {}
  std::string backend() const override { return "told"; }
  std::uint64_t overflows() const override { return 0; }
  void tell(const std::string& path) { sink_.load()->take({watch::Hint::What::changed, path}); }

 private:
  std::atomic<watch::HintSink*> sink_{nullptr};
};

}  // namespace

TEST_CASE("A session that appears is shown, one that changes follows, one that goes is gone") {
  WatchedVault watched;
  watched.start();
  const auto added = session(1, Naming::by_path);
  watched.vault().add(added);
  CHECK(watched.shows("session=key-1 "));
  CHECK(eventually([&] { return watched.health().narrow_passes > 0; }));
  for (const std::string& path : flow::notes(watched.vault())) {
    watched.vault().unlink(path);
  }
  CHECK(watched.shows("No session in the last 30 days"));
  CHECK(watched.equals_rebuild());
}

TEST_CASE("What happened while the service was down is caught up with") {
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  watched.stop();
  watched.vault().add(session(2, Naming::by_path));
  watched.vault().unlink("memory/" + session(1, Naming::by_path).summary.name);
  watched.start();
  CHECK(watched.shows_now("session=key-2 "));
  CHECK(watched.equals_rebuild());
}

TEST_CASE("A new folder is watched from then on") {
  WatchedVault watched;
  watched.start();
  auto first = session(1, Naming::by_path);
  first.summary.folder = first.transcript.folder = first.manifest.folder = "memory/a/b";
  watched.vault().add(first);
  CHECK(watched.shows("session=key-1 "));
  REQUIRE(eventually([&] { return watched.health().folders_watched == 3; }));
  auto second = session(2, Naming::by_path);
  second.summary.folder = second.transcript.folder = second.manifest.folder = "memory/a/b";
  watched.vault().add(second);
  CHECK(watched.shows("session=key-2 "));
  CHECK(watched.equals_rebuild());
  CHECK(watched.health().deaf == 0);
}

TEST_CASE("MEMORY.md that was deleted or altered is restored") {
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  const std::string right = watched.vault().memory_md();
  SECTION("deleted") { watched.vault().unlink("MEMORY.md"); }
  SECTION("altered") { watched.vault().write("MEMORY.md", "Somebody else's words.\n"); }
  CHECK(eventually(
      [&] { return watched.vault().exists("MEMORY.md") && watched.vault().memory_md() == right; }));
}

TEST_CASE("Ten thousand files at once are a few publications, and the service answers meanwhile") {
  constexpr double kLongestSeconds = 2;
  WatchedVault watched("watch:\n  settle_ms: 200\n  longest_ms: 2000\n");
  watched.start();
  std::atomic<bool> ended{false};
  std::uint64_t asked = 0;
  std::thread asking([&] {
    while (!ended) {
      static_cast<void>(watched.health());
      ++asked;
      std::this_thread::yield();
    }
  });
  const auto began = std::chrono::steady_clock::now();
  for (int i = 1; i <= 2500; ++i) {
    auto one = session(i, Naming::by_path);
    one.compaction.present = true;
    watched.vault().add(one);
  }
  const std::chrono::duration<double> wrote = std::chrono::steady_clock::now() - began;
  CHECK(eventually([&] {
    return watched.health().queue == 0 && watched.health().state == State::watching &&
           watched.equals_rebuild(std::chrono::milliseconds(0));
  }));
  ended = true;
  asking.join();
  CHECK(asked > 100);
  const Health health = watched.health();
  // However long the writing took: one pass each time that the longest wait is over, and those
  // before, after, and for what the passes themselves have written.
  const double passes = wrote.count() / kLongestSeconds + 6;
  CHECK(static_cast<double>(health.narrow_passes + health.sweeps) <= passes);
  CHECK(static_cast<double>(health.publications) <= 2 * passes);  // two agents
}

TEST_CASE(
    "The configuration is read again when asked; a wrong one is told, and the old one stays") {
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  watched.vault().write("daybook.yaml", "noise: [\"/*\"]\nwatch: {settle_ms: 40}\n");
  watched.service().reload();
  CHECK(watched.shows("No session in the last 30 days"));
  watched.vault().write("daybook.yaml", "nois: []\n");
  watched.service().reload();
  CHECK(eventually([&] { return watched.is_degraded(degraded::kConfigError); }));
  watched.vault().add(session(2, Naming::by_path));
  CHECK(eventually([&] { return watched.vault().rows().find("key-2") != std::string::npos; }));
  CHECK_FALSE(watched.shows_now("session=key-2 "));  // the old rule still holds
  watched.vault().write("daybook.yaml", "watch: {settle_ms: 40}\n");
  watched.service().reload();
  CHECK(watched.shows("session=key-2 "));
  CHECK_FALSE(watched.is_degraded(degraded::kConfigError));
}

TEST_CASE("A changed daybook.yaml counts soon, without being told") {
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  watched.vault().write("daybook.yaml", "noise: [\"/*\"]\nwatch: {settle_ms: 40}\n");
  CHECK(watched.shows("No session in the last 30 days"));
}

TEST_CASE("A change whose pass found the vault busy is made up for, whatever passes come between") {
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  REQUIRE(watched.shows("session=key-1 "));
  {
    const auto busy = state::PipelineLock::acquire(
        watched.vault().folder(), {"a test", {support::kTestNow}, std::chrono::seconds(10)});
    REQUIRE(busy);
    watched.vault().add(session(2, Naming::by_path));
    REQUIRE(eventually([&] { return !watched.health().last_error.empty(); }));
    // What is known is not done, and it says so.
    CHECK(eventually([&] { return watched.health().state == State::retrying; }));
    CHECK(watched.health().state != State::watching);
  }
  watched.vault().add(session(3, Naming::by_path));
  CHECK(watched.shows("session=key-3 "));
  // A pass for something else does not hide that: watching means that all is done.
  REQUIRE(eventually([&] { return watched.health().state == State::watching; }));
  CHECK(watched.vault().rows().find("key-2") != std::string::npos);
  CHECK(watched.shows("session=key-2 "));
  CHECK(eventually([&] { return watched.health().last_error.empty(); }));
  CHECK(watched.health().deaf == 0);
}

TEST_CASE("While paths do not rest, a sweep that is due neither spins nor is forgotten") {
  WatchedVault watched("watch:\n  settle_ms: 1500\n  longest_ms: 3000\n  sweep_seconds: 1\n");
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  const std::uint64_t sweeps = watched.health().sweeps;
  const std::uint64_t pulse = watched.service().pulse();
  int change = 0;
  // Never at rest: only the longest wait, or a sweep that is overdue, ends this.
  CHECK(eventually([&] {
    watched.vault().write("memory/pinned.md", "Change " + std::to_string(++change) + ".\n");
    static_cast<void>(eventually([] { return false; }, std::chrono::milliseconds(100)));
    return watched.health().sweeps > sweeps + 1;
  }));
  // Some turns for each change, and the bytes that were read; a loop that does not wait makes
  // hundreds of thousands.
  CHECK(watched.service().pulse() - pulse < 20'000);
}

TEST_CASE("A temporary without a dot, renamed over the note, is followed without a sweep") {
  WatchedVault watched("watch:\n  settle_ms: 100\n  longest_ms: 2000\n  sweep_seconds: 3600\n");
  watched.vault().add(session(1, Naming::by_path));
  watched.vault().write("memory/pinned.md", "Before.\n");
  watched.start();
  const std::uint64_t sweeps = watched.health().sweeps;
  watched.vault().write("memory/sedXY12ab", "After.\n");
  fs::rename(watched.at("memory/sedXY12ab"), watched.at("memory/pinned.md"));
  CHECK(watched.shows("After."));
  CHECK(watched.health().sweeps == sweeps);
}

TEST_CASE("A service that cannot begin says why") {
  WatchedVault watched("nois: []\n");
  watch::EfswSource source;
  const base::FixedClock clock(support::kTestNow);
  WatchService service(base::real_disk(), watched.vault().folder(), clock, source, {});
  const auto ran = service.run();
  REQUIRE_FALSE(ran);
  CHECK(ran.error().kind == ErrorKind::usage);
  CHECK(ran.error().path == "daybook.yaml:1");
}

TEST_CASE("A session that leaves the window goes, and one that enters comes, without any event") {
  support::IndexedVault vault;
  vault.write("daybook.yaml", kQuickConfig);
  const auto day = 86'400'000LL;
  const auto at = [](std::int64_t ms) { return lineage::to_string(lineage::Timestamp{ms}); };
  vault.add(support::SessionFiles("default", "old", at(support::kTestNow - 30 * day + 60'000)));
  vault.add(support::SessionFiles("default", "new", at(support::kTestNow - day)));
  vault.add(support::SessionFiles("default", "coming", at(support::kTestNow + 3'600'000)));
  SetClock clock;
  watch::EfswSource source;
  std::atomic<bool> ready{false};
  WatchService service(
      base::real_disk(), vault.folder(), clock, source, {[&ready] { ready = true; }, {}, {}});
  std::thread thread([&service] { static_cast<void>(service.run()); });
  REQUIRE(eventually([&] { return ready.load(); }));
  const auto shows = [&](const char* key) {
    return vault.memory_md().find(std::string("session=") + key + " ") != std::string::npos;
  };
  CHECK((shows("old") && shows("new") && !shows("coming")));
  const std::uint64_t sweeps = service.health().sweeps;
  clock.now = support::kTestNow + 120'000;
  CHECK(eventually([&] { return !shows("old"); }));
  CHECK((shows("new") && !shows("coming")));
  clock.now = support::kTestNow + 3'700'000;
  CHECK(eventually([&] { return shows("coming"); }));
  CHECK(service.health().sweeps == sweeps);
  service.stop();
  thread.join();
}

TEST_CASE("What expires leaves MEMORY.md also when a command beside the service brought it in") {
  support::IndexedVault vault;
  vault.write("daybook.yaml", kQuickConfig);
  vault.add(support::SessionFiles("default", "one", "2026-03-29T10:00:00.000Z"));
  SetClock clock;
  ToldSource source;
  std::atomic<bool> ready{false};
  WatchService service(
      base::real_disk(), vault.folder(), clock, source, {[&ready] { ready = true; }, {}, {}});
  std::thread thread([&service] { static_cast<void>(service.run()); });
  REQUIRE(eventually([&] { return ready.load(); }));
  const support::LearningNote note{
      1,
      "Soon gone.",
      {{"learning_kind", "fact"},
       {"expires_at", lineage::to_string(lineage::Timestamp{support::kTestNow + 60'000})}}};
  std::filesystem::create_directories(vault.at("memory/learnings"));
  vault.write(note.path(), note.text());
  vault.reindex();
  const auto shows = [&] { return vault.memory_md().find("Soon gone.") != std::string::npos; };
  REQUIRE(shows());
  const std::uint64_t passes = service.health().narrow_passes;
  source.tell(note.path());
  REQUIRE(eventually([&] { return service.health().narrow_passes > passes; }));
  clock.now = support::kTestNow + 61'000;
  CHECK(eventually([&] { return !shows(); }));
  service.stop();
  thread.join();
}

TEST_CASE("Stopping ends a pass in its middle, and the next start goes on") {
  WatchedVault watched;
  for (int i = 1; i <= 300; ++i) {
    watched.vault().add(session(i, Naming::by_path));
  }
  const base::FixedClock clock(support::kTestNow);
  watch::EfswSource source;
  WatchService service(base::real_disk(), watched.vault().folder(), clock, source, {});
  std::thread thread([&service] { static_cast<void>(service.run()); });
  REQUIRE(eventually([&] { return service.health().files_done > 0; }));
  service.stop();
  thread.join();
  CHECK(service.health().state == State::stopping);
  watched.start();
  CHECK(watched.equals_rebuild());
}

}  // namespace daybook::daemon
