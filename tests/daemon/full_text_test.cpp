// SPDX-License-Identifier: MIT
//
// The full text is made beside the passes: nobody waits for it, nothing that changes meanwhile is
// missed, and what is removed meanwhile stays in no byte of it.

#include "daybook/index/full_text.hpp"

#include "daemon/watched_vault.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/search_query.hpp"
#include "daybook/service/search.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "flow/disturbance.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <future>
#include <thread>

namespace daybook::daemon {
namespace {

namespace fs = std::filesystem;
using flow::Naming;
using flow::session;
using support::eventually;

/// Holds up whoever opens a file and is not the control thread, once it is told to: the thread that
/// makes the full text, since a pass over few files needs no other thread.
class TextGate {
 public:
  base::Disk& disk() { return disk_; }
  void close() { closed_ = true; }
  void open() { closed_ = false; }
  [[nodiscard]] bool holds_up() const { return waiting_ > 0; }

 private:
  void hold_up() {
    ++waiting_;
    static_cast<void>(eventually([this] { return !closed_; }));
    --waiting_;
  }

  std::atomic<bool> closed_{false};
  std::atomic<int> waiting_{0};
  std::atomic<bool> knows_control_{false};
  std::thread::id control_;  // written once, before anybody is held up
  support::WatchedDisk disk_{[this](int) {
    if (!closed_ && !knows_control_) {
      control_ = std::this_thread::get_id();
      knows_control_ = true;
    } else if (closed_ && std::this_thread::get_id() != control_) {
      hold_up();
    }
  }};
};

/// As a person would: nothing, too, while there is no index.
std::size_t hits(WatchedVault& watched, const std::string& word) {
  service::SearchRequest request;
  request.query = word;
  const auto found = service::search(base::real_disk(), watched.vault().folder(), request);
  return found ? found->results.size() : 0;
}

/// What the full text alone says, whether there is a row to it or not.
std::size_t documents_with(WatchedVault& watched, const std::string& word) {
  const auto& folder = watched.vault().folder();
  const auto reader = index::Reader::open(folder.file(index::kIndexFile));
  const auto query = index::SearchQuery::parse(word);
  const auto found =
      index::search_text(folder.file("text"), reader.value().meta().index_id, query.value(), {}, 9);
  return found.value().hits.size();
}

/// A service that is in the middle of the full text of session 1 and can get no further.
class HeldUp {
 public:
  explicit HeldUp(const std::vector<support::SessionFiles>& others = {}) {
    for (const support::SessionFiles& other : others) {
      watched.vault().add(other);
    }
    watched.start(gate.disk());
    gate.close();
    watched.vault().add(session(1, Naming::by_path));
  }
  HeldUp(const HeldUp&) = delete;
  HeldUp& operator=(const HeldUp&) = delete;
  ~HeldUp() { gate.open(); }

  bool is_so() {
    return watched.shows("session=key-1 ") && eventually([this] { return gate.holds_up(); });
  }

  TextGate gate;
  WatchedVault watched;
};

}  // namespace

TEST_CASE("The full text follows when it is quiet") {
  WatchedVault watched;
  watched.start();
  watched.vault().add(session(7, Naming::by_path));
  REQUIRE(watched.shows("session=key-7 "));
  CHECK(eventually([&] { return watched.vault().search("gauge7").size() == 1; }));
}

TEST_CASE("The full text does not wait for a vault that is never quiet") {
  WatchedVault watched;
  watched.vault().add(session(1, Naming::by_path));
  watched.start();
  int change = 0;
  CHECK(eventually([&] {
    // One after the other, each shown before the next: never a second of quiet.
    const std::string text = "Change " + std::to_string(++change) + ".";
    watched.vault().write("memory/pinned.md", text + "\n");
    return watched.shows(text) && fs::exists(watched.vault().folder().file("text")) &&
           !watched.vault().search("gauge1").empty();
  }));
}

TEST_CASE("MEMORY.md does not wait for the full text, however long that takes") {
  HeldUp held;
  REQUIRE(held.is_so());
  held.watched.vault().add(session(41, Naming::by_path));
  CHECK(held.watched.shows("session=key-41 "));
  fs::create_directory(held.watched.at("memory/sub"));  // every file is looked at
  auto inside = session(2, Naming::by_path);
  inside.summary.folder = inside.transcript.folder = inside.manifest.folder = "memory/sub";
  held.watched.vault().add(inside);
  CHECK(held.watched.shows("session=key-2 "));
  CHECK(held.gate.holds_up());
  CHECK(hits(held.watched, "gauge1") == 0);
}

TEST_CASE("What changes while its month's full text is made is made up for") {
  HeldUp held;
  REQUIRE(held.is_so());
  const auto beside = session(41, Naming::by_path);  // of the same day
  held.watched.vault().add(beside);
  REQUIRE(held.watched.shows("session=key-41 "));
  held.gate.open();
  CHECK(eventually([&] { return hits(held.watched, "gauge41") == 1; }));
  CHECK(hits(held.watched, "gauge1") == 1);
  for (const auto& file : {beside.summary, beside.transcript, beside.manifest}) {
    held.watched.vault().unlink("memory/" + file.name);
  }
  CHECK(eventually([&] { return documents_with(held.watched, "gauge41") == 0; }));
}

TEST_CASE("What is removed while its full text is made is in no byte of it") {
  HeldUp held;
  REQUIRE(held.is_so());
  auto removed = session(1, Naming::by_path);
  removed.tombstone.present = true;
  removed.tombstone.name = "2026-03-25T10-00-00.000Z--" + removed.token() + "--tombstone.md";
  removed.tombstone.fields.set_text("removed_at", "2026-03-25T10:00:00.000Z");
  held.watched.vault().add(removed);
  REQUIRE(held.watched.shows("No session in the last 30 days"));
  const auto is_erased = [&held] {
    return held.watched.vault().open_state().meta(state::kErasurePending).value() != "1";
  };
  // Its text is in the hands of the thread that is held up.
  CHECK_FALSE(eventually(is_erased, std::chrono::milliseconds(500)));
  held.gate.open();
  CHECK(eventually(is_erased));
  CHECK(held.watched.vault().state_files_with("gauge1").empty());
  held.watched.vault().add(session(2, Naming::by_path));
  CHECK(eventually([&] { return hits(held.watched, "gauge2") == 1; }));
  CHECK(held.watched.vault().state_files_with("gauge1").empty());
}

TEST_CASE("An index that is made anew while full text is made gets full text of its own") {
  HeldUp held;
  REQUIRE(held.is_so());
  held.watched.vault().delete_state_file("index.db");
  fs::create_directory(held.watched.at("memory/sub"));  // every file is looked at
  REQUIRE(eventually([&] { return held.watched.health().state == State::working; }));
  held.gate.open();
  CHECK(eventually([&] { return hits(held.watched, "gauge1") == 1; }));
  CHECK(held.watched.equals_rebuild());
}

TEST_CASE("A document that was touched while its month was made is searchable in the end") {
  HeldUp held;
  REQUIRE(held.is_so());
  const auto touched = session(1, Naming::by_path);
  const auto touch = [&held](const std::string& name) {  // no row says anything else after it
    held.watched.vault().write("memory/" + name, held.watched.vault().read("memory/" + name));
  };
  const std::uint64_t passes = held.watched.health().narrow_passes;
  touch(touched.summary.name);
  touch(touched.transcript.name);
  REQUIRE(eventually([&] { return held.watched.health().narrow_passes > passes; }));
  held.gate.open();
  CHECK(eventually([&] { return hits(held.watched, "gauge1") == 1; }));
}

TEST_CASE("Between two months of full text other processes get their turn") {
  constexpr int kOlder = 24;
  std::vector<support::SessionFiles> older;
  for (int i = 0; i < kOlder; ++i) {
    older.emplace_back("default",
                       "older-" + std::to_string(i),
                       std::to_string(2024 + i / 12) + (i % 12 < 9 ? "-0" : "-") +
                           std::to_string(i % 12 + 1) + "-10T10:00:00Z");
  }
  HeldUp held(older);
  REQUIRE(held.is_so());
  const auto months_made = [&held] {
    return index::months_with_text(held.watched.vault().folder().file("text")).value().size();
  };
  {
    const auto turn = std::async(std::launch::async, [&held] {
      return state::PipelineLock::acquire(
          held.watched.vault().folder(), {"a test", {support::kTestNow}, std::chrono::seconds(60)});
    });
    held.gate.open();
    turn.wait();
    CHECK(months_made() <= kOlder);  // of one more
  }
  CHECK(eventually([&] { return months_made() == kOlder + 1; }));
}

TEST_CASE("A service that stops does not wait for the full text") {
  HeldUp held;
  REQUIRE(held.is_so());
  held.watched.service().stop();
  held.gate.open();
  held.watched.stop();
  CHECK(hits(held.watched, "gauge1") == 0);
  held.watched.start();
  CHECK(eventually([&] { return hits(held.watched, "gauge1") == 1; }));
}

}  // namespace daybook::daemon
