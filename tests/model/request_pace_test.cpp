// SPDX-License-Identifier: MIT
#include "daybook/model/request_pace.hpp"

#include "daybook/model/embedder.hpp"
#include "support/model_server.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace daybook::model {
namespace {

using support::ModelServer;
using support::replies;
using namespace std::chrono_literals;
using Waits = std::vector<std::chrono::milliseconds>;

/// A pace by a clock that moves only while somebody waits.
struct MadePace {
  explicit MadePace(std::uint64_t requests_per_minute)
      : pace(
            requests_per_minute,
            [this] { return now; },
            [this](std::chrono::milliseconds time) {
              waits.push_back(time);
              now += time;
            }) {}

  RequestPace::Moment now{};
  Waits waits;
  RequestPace pace;
};

const std::string kGood = R"({"data":[{"index":0,"embedding":[1]}]})";
const std::vector<std::string> kText{"one"};
const std::atomic<bool> kNever{false};

}  // namespace

TEST_CASE("requests are spread over the minute") {
  MadePace made(30);
  for (int i = 0; i < 4; ++i) {
    made.pace.take();
  }
  CHECK(made.waits == Waits{2s, 2s, 2s});
  made.now += 10s;  // an answer that took its time
  made.pace.take();
  CHECK(made.waits.size() == 3);
}

TEST_CASE("a try anew waits for its turn like every request") {
  const ModelServer server(
      {replies("503 Busy", ""), replies("503 Busy", ""), replies("200 OK", kGood)});
  MadePace made(30);
  const auto embedder = endpoint_embedder(
      {server.origin() + "/v1", "tiny", {}, 60s, 2}, [](auto) {}, &made.pace);
  REQUIRE(embedder->embed(kText, kNever).ok());
  CHECK(server.requests().size() == 3);
  CHECK(made.waits == Waits{2s, 2s});
}

TEST_CASE("an endpoint that wants to be left alone for long is not asked before, an hour at most") {
  const ModelServer server({replies("429 Slow down", "", "Retry-After: 60\r\n"),
                            replies("503 Gone", "", "Retry-After: 999999\r\n"),
                            replies("200 OK", kGood)});
  MadePace made(0);
  const auto embedder = endpoint_embedder(
      {server.origin() + "/v1", "tiny", {}, 60s, 2}, [](auto) {}, &made.pace);
  const auto asked = [&] {
    const auto answer = embedder->embed(kText, kNever);
    return answer.ok() ? std::string() : answer.error().message;
  };
  CHECK_THAT(asked(), Catch::Contains("status 429") && Catch::Contains("for 60 s"));
  made.now += 59s;
  CHECK_THAT(asked(), Catch::Contains("for 60 s"));
  CHECK(server.requests().size() == 1);
  made.now += 1s;
  CHECK_THAT(asked(), Catch::Contains("status 503") && Catch::Contains("for 3600 s"));
  CHECK(server.requests().size() == 2);
  made.now += 1h;
  CHECK(asked().empty());
}

}  // namespace daybook::model
