// SPDX-License-Identifier: MIT
#include "capture/spool_json.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace daybook::capture {
namespace {

constexpr lineage::Timestamp kTime{1'774'737'246'792};

SpoolRecord record() {
  SpoolRecord made;
  made.flow = std::string(64, 'f');
  made.kind = "session-end";
  made.session.agent_id = "default";
  made.session.captured_at = kTime;
  made.ended_at = lineage::Timestamp{kTime.ms + 1};
  made.transcript_bytes = 120;
  made.result.secrets = 3;
  return made;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("A record is read as it was written") {
  const std::string json = record_to_json(record());
  const auto read = record_from_json(json);
  REQUIRE(read);
  CHECK(read->ended_at == record().ended_at);
  CHECK(record_to_json(*read) == json);
}

TEST_CASE("What is no JSON is told without quoting it") {
  for (const std::string json : {"{\"text\":\"My secret plan", "{\"text\": \xFFMy secret plan"}) {
    const auto read = record_from_json(json);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().kind == ErrorKind::damaged);
    CHECK(read.error().message.find("secret") == std::string::npos);
    CHECK(read.error().message.find('\xFF') == std::string::npos);
  }
}

TEST_CASE("A time that cannot be written, and a count that is none, make a record damaged") {
  const std::string json = record_to_json(record());
  const std::string time = "\"ended_at\":" + std::to_string(kTime.ms + 1);
  for (const char* wrong : {"9223372036854775807", "-62167219200001", "1e300", "1.5", "true"}) {
    CAPTURE(wrong);
    const auto read = record_from_json(replaced(json, time, std::string("\"ended_at\":") + wrong));
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().kind == ErrorKind::damaged);
  }
  for (const char* wrong : {"-1", "1e300", "0.5", "false", "\"3\""}) {
    CAPTURE(wrong);
    CHECK_FALSE(
        record_from_json(replaced(json, "\"secrets\":3", std::string("\"secrets\":").append(wrong)))
            .ok());
  }
}

TEST_CASE("A hook of an event that is not known is damaged, not another event") {
  SpooledHook hook;
  hook.spooled_at = kTime;
  hook.input.event = harness::HookEvent::session_end;
  const std::string json = hook_to_json(hook);
  REQUIRE(hook_from_json(json));
  // 259 is 3, the end of a session, in eight bits.
  for (const char* wrong : {"5", "259", "-1", "3.0"}) {
    CAPTURE(wrong);
    CHECK_FALSE(
        hook_from_json(replaced(json, "\"event\":3", std::string("\"event\":").append(wrong)))
            .ok());
  }
}

}  // namespace daybook::capture
