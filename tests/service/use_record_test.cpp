// SPDX-License-Identifier: MIT
#include "daybook/service/use_record.hpp"

#include "daybook/state/noted_uses.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/store/transaction.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

using namespace daybook;
using daybook::support::TempFolder;
using state::TelemetryEvent;

namespace {

const lineage::Timestamp kNow{1'700'000'000'000};
const state::TelemetrySubject kSession{lineage::SessionToken::derive("default", "key"), "default"};

state::StateFolder state_in(const TempFolder& temp) {
  auto opened = state::StateFolder::open(temp.at("state"), "/vault", state::Create::if_missing);
  REQUIRE(opened);
  return std::move(opened).value();
}

std::string record(const state::StateFolder& folder) {
  return service::record_use(folder, TelemetryEvent::searched, {&kSession, 1}, kNow);
}

std::int64_t times_found(const state::StateFolder& folder) {
  auto state = state::StateDb::open(folder);
  REQUIRE(state);
  const auto telemetry = state->telemetry().get(kSession.token);
  REQUIRE(telemetry);
  return *telemetry ? (*telemetry)->searched.times : 0;
}

}  // namespace

TEST_CASE("Use is counted") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  CHECK(record(folder).empty());
  CHECK(record(folder).empty());
  CHECK(times_found(folder) == 2);
}

TEST_CASE("A state that another process writes is not waited for, and nothing is lost") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  {
    auto other = store::Database::open(folder.file("state.db"));
    REQUIRE(other);
    const auto writing = store::Transaction::begin(*other);
    REQUIRE(writing);
    CHECK(record(folder).empty());
    auto state = state::StateDb::open(folder, 1);  // does not wait long
    REQUIRE(state);
    CHECK(state->telemetry().size().value() == 0);
  }
  CHECK(times_found(folder) == 1);
  CHECK(record(folder).empty());
  CHECK(times_found(folder) == 2);
}

TEST_CASE("A use is noted beside state.db until somebody asks for it") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  const std::string before = temp.read("state/state.db");
  CHECK(record(folder).empty());
  CHECK(temp.read("state/state.db") == before);
  CHECK_FALSE(std::filesystem::exists(folder.file("state.db-wal")));
  CHECK(std::filesystem::exists(folder.file(state::kUsesFile)));
  CHECK(times_found(folder) == 1);
  CHECK_FALSE(std::filesystem::exists(folder.file(state::kUsesFile)));
  CHECK(times_found(folder) == 1);
}

TEST_CASE("A session that is erased takes its noted uses with it") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  CHECK(record(folder).empty());
  auto state = state::StateDb::open(folder);
  REQUIRE(state);
  REQUIRE(state->erase_session(kSession.token));
  CHECK(state->telemetry().get(kSession.token).value() == std::nullopt);
}

TEST_CASE("A session that is erased beside another writer takes its noted uses with it, or fails") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  CHECK(record(folder).empty());
  auto state = state::StateDb::open(folder, 1);
  REQUIRE(state);
  auto other = store::Database::open(folder.file("state.db"));
  REQUIRE(other);
  {
    const auto writing = store::Transaction::begin(*other);
    REQUIRE(writing);
    CHECK_FALSE(state->erase_session(kSession.token));
    CHECK_FALSE(state->reset_telemetry());
  }
  REQUIRE(state->erase_session(kSession.token));
  CHECK_FALSE(state::has_noted_uses(folder.file(state::kUsesFile)));
  CHECK(state->telemetry().get(kSession.token).value() == std::nullopt);
}

TEST_CASE("What is noted of a session after its removal is not counted, of others it is") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  const state::TelemetrySubject other{lineage::SessionToken::derive("default", "other"), "default"};
  {
    auto state = state::StateDb::open(folder);
    REQUIRE(state);
    lineage::Tombstone tombstone;
    tombstone.token = kSession.token;
    tombstone.agent_id = kSession.agent_id;
    REQUIRE(state->tombstones().put(tombstone));
  }
  const std::array<state::TelemetrySubject, 2> both{kSession, other};
  CHECK(service::record_use(folder, TelemetryEvent::searched, both, kNow).empty());
  CHECK(times_found(folder) == 0);
  auto state = state::StateDb::open(folder);
  CHECK(state->telemetry().get(other.token).value()->searched.times == 1);
}

TEST_CASE("Telemetry that is reset has no noted uses left") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  CHECK(record(folder).empty());
  auto state = state::StateDb::open(folder);
  REQUIRE(state->reset_telemetry());
  CHECK_FALSE(state::has_noted_uses(folder.file(state::kUsesFile)));
  CHECK(times_found(folder) == 0);
}

TEST_CASE("Noted uses of a taking that was cut off are counted with the next") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  CHECK(record(folder).empty());
  REQUIRE(state::take_noted_uses(folder.file(state::kUsesFile)));  // and not dropped
  CHECK(state::has_noted_uses(folder.file(state::kUsesFile)));
  CHECK(record(folder).empty());
  CHECK(times_found(folder) == 2);
  CHECK_FALSE(state::has_noted_uses(folder.file(state::kUsesFile)));
}

TEST_CASE("Noted uses of many times are counted all or not at all") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  constexpr int kUses = 200;
  for (int i = 0; i < kUses; ++i) {
    const lineage::Timestamp time{kNow.ms + i};
    REQUIRE(service::record_use(folder, TelemetryEvent::searched, {&kSession, 1}, time).empty());
  }
  // Another process that takes state.db again and again; counts in several transactions would meet
  // it in the middle.
  std::atomic<bool> done = false;
  std::thread busy([&] {
    auto other = store::Database::open(folder.file("state.db"));
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const auto writing = store::Transaction::begin(*other);
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  });
  std::int64_t counted = 0;
  for (int attempt = 0; attempt < 10'000 && counted == 0; ++attempt) {
    if (auto state = state::StateDb::open(folder, 1)) {
      const auto found = state->telemetry().get(kSession.token);
      counted = found && *found ? (*found)->searched.times : 0;
    }
  }
  done = true;
  busy.join();
  CHECK(((counted == 0) || (counted == kUses)));
  CHECK(times_found(folder) == kUses);
}

TEST_CASE("A folder or a link in the place of the noted uses is left alone, and uses are counted") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  const std::string path = folder.file(state::kUsesFile);
  if (GENERATE(true, false)) {
    std::filesystem::create_directory(path);
  } else {
    std::filesystem::create_symlink(temp.at("elsewhere"), path);
  }
  CHECK(record(folder).empty());
  CHECK(record(folder).empty());
  CHECK(times_found(folder) == 2);
  CHECK(std::filesystem::exists(std::filesystem::symlink_status(path)));
  CHECK_FALSE(std::filesystem::exists(temp.at("elsewhere")));
}

TEST_CASE("Where noted uses cannot be moved aside, they are kept; a removal deletes them") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  std::filesystem::create_directory(folder.file("uses.taken"));
  CHECK(record(folder).empty());
  CHECK(times_found(folder) == 0);
  CHECK(state::has_noted_uses(folder.file(state::kUsesFile)));
  auto state = state::StateDb::open(folder);
  REQUIRE(state->erase_session(kSession.token));
  CHECK_FALSE(state::has_noted_uses(folder.file(state::kUsesFile)));
}

TEST_CASE("Noted uses that cannot be read are passed over") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  const std::string token = kSession.token.to_string();
  temp.write("state/uses",
             "searched 5 " + token + " default\nsearched five " + token + " default\nfound 5 " +
                 token + " default\nsearched 5 nobody default\n\n" + std::string(3, '\0') +
                 "\nsearched 5 " + token + " default\nsearched 5 " + token + " defsearched 5 " +
                 token + " default\nsearched 5 " + token);
  CHECK(times_found(folder) == 2);
}

TEST_CASE("Many noted uses are taken into state.db by the next one") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  std::string lines;
  std::int64_t count = 0;
  for (; lines.size() < 65536; ++count) {
    lines += "searched 5 " + kSession.token.to_string() + " default\n";
  }
  temp.write("state/uses", lines);
  CHECK(record(folder).empty());
  CHECK_FALSE(std::filesystem::exists(folder.file(state::kUsesFile)));
  CHECK(times_found(folder) == count + 1);
}

TEST_CASE("No state.db is made for the sake of a count") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(record(folder).empty());
  CHECK_FALSE(std::filesystem::exists(folder.file("state.db")));
}

TEST_CASE("A damaged state.db that is set aside on the way is told") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  temp.write("state/uses", std::string(65536, '\n'));  // so many that state.db is opened
  temp.write("state/state.db", std::string(8192, 'x'));
  CHECK(record(folder).find("was set aside") != std::string::npos);
}
