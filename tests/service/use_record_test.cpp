// SPDX-License-Identifier: MIT
#include "daybook/service/use_record.hpp"

#include "daybook/state/state_db.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

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

TEST_CASE("A state that another process writes is not waited for, and nothing fails") {
  const TempFolder temp;
  const auto folder = state_in(temp);
  CHECK(times_found(folder) == 0);
  {
    auto other = store::Database::open(folder.file("state.db"));
    REQUIRE(other);
    const auto writing = store::Transaction::begin(*other);
    REQUIRE(writing);
    CHECK(record(folder).empty());
  }
  CHECK(times_found(folder) == 0);
  CHECK(record(folder).empty());
  CHECK(times_found(folder) == 1);
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
  temp.write("state/state.db", std::string(8192, 'x'));
  CHECK(record(folder).find("was set aside") != std::string::npos);
}
