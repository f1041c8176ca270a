// SPDX-License-Identifier: MIT
#include "daybook/model/embedder.hpp"

#include "support/model_server.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace daybook::model {
namespace {

using support::ModelServer;
using support::replies;
using namespace std::chrono_literals;
using Peer = ModelServer::Peer;

const std::vector<std::string> kTexts{"first", "second"};

struct Asked {
  Result<std::vector<Vector>> answer;
  std::size_t waits = 0;
  std::vector<std::string> requests;

  std::string failure() const {
    return answer.ok() ? "" : answer.error().message + " / " + answer.error().hint;
  }
};

Asked ask(std::vector<ModelServer::Behaviour> behaviours, const std::string& key_variable = {}) {
  const ModelServer server(std::move(behaviours));
  std::size_t waits = 0;
  const auto embedder = endpoint_embedder({server.origin() + "/v1", "tiny", key_variable, 60s, 2},
                                          [&waits](std::chrono::milliseconds) { ++waits; });
  const std::atomic<bool> cancelled{false};
  auto answer = embedder->embed(kTexts, cancelled);
  return {std::move(answer), waits, server.requests()};
}

Asked answered(const std::string& data) {
  return ask({replies("200 OK", R"({"data":[)" + data + "]}")});
}

}  // namespace

TEST_CASE("texts are sent at once, and vectors come in their order whatever the answer's") {
  const Asked asked =
      answered(R"({"index":1,"embedding":[0,2.5]},{"index":0,"embedding":[1,-1e-3]})");
  REQUIRE(asked.answer.ok());
  CHECK(*asked.answer == std::vector<Vector>{{1.0F, -1e-3F}, {0.0F, 2.5F}});
  REQUIRE(asked.requests.size() == 1);
  CHECK_THAT(asked.requests.front(), Catch::StartsWith("POST /v1/embeddings HTTP/1.1\r\n"));
  CHECK_THAT(asked.requests.front(), Catch::Contains(R"("input":["first","second"])"));
  CHECK_THAT(asked.requests.front(), Catch::Contains(R"("model":"tiny")"));
  CHECK_THAT(asked.requests.front(), !Catch::Contains("Authorization"));
}

TEST_CASE("an answer that is not one vector for each text is refused whole") {
  const std::string good = R"({"index":0,"embedding":[1,2]})";
  const auto [data, words] = GENERATE_COPY(table<std::string, std::string>({
      {good, "one vector for each of 2 texts"},
      {good + "," + good, "two vectors of the same text"},
      {good + R"(,{"index":2,"embedding":[1,2]})", "which text"},
      {good + R"(,{"index":-1,"embedding":[1,2]})", "which text"},
      {good + R"(,{"index":"1","embedding":[1,2]})", "which text"},
      {good + R"(,{"embedding":[1,2]})", "which text"},
      {good + R"(,{"index":1})", "which text"},
      {good + R"(,{"index":1,"embedding":[1,2,3]})", "several lengths"},
      {good + R"(,{"index":1,"embedding":[1]})", "several lengths"},
      {good + R"(,{"index":1,"embedding":[]})", "a vector that is none"},
      {good + R"(,{"index":1,"embedding":"AAAA"})", "a vector that is none"},
      {good + R"(,{"index":1,"embedding":[1,"2"]})", "finite numbers"},
      {good + R"(,{"index":1,"embedding":[1,null]})", "finite numbers"},
      {good + R"(,{"index":1,"embedding":[1,1e300]})", "finite numbers"},
      {good + R"(,{"index":1,"embedding":[0,0]})", "a vector of zeros"},
      {good + ",7", "which text"},
  }));
  CAPTURE(data);
  const Asked asked = answered(data);
  CHECK_THAT(asked.failure(), Catch::Contains(words) && Catch::Contains("embeddings.base_url"));
  CHECK(asked.requests.size() == 1);
}

TEST_CASE("an answer that is no JSON, nests without end or has too many numbers is refused") {
  CHECK_THAT(ask({replies("200 OK", "<html>")}).failure(), Catch::Contains("is not JSON"));
  CHECK_THAT(ask({replies("200 OK", "[]")}).failure(), Catch::Contains("one vector for each"));
  CHECK_THAT(ask({replies("200 OK", std::string(100'000, '['))}).failure(),
             Catch::Contains("nested too deeply"));
  std::string numbers = "1";
  for (std::size_t i = 0; i < kMostDimensions; ++i) {
    numbers += ",1";
  }
  CHECK_THAT(answered(R"({"index":0,"embedding":[)" + numbers + "]},7").failure(),
             Catch::Contains("more than 8192 numbers"));
}

TEST_CASE("an answer of a megabyte is taken, because vectors are long") {
  std::string numbers = "0.12345678901234567890";
  for (int i = 0; i < 8000; ++i) {
    numbers += ",0.1234567890123456789012345678901234567890123456789012345678901234567890";
  }
  const Asked asked = answered(R"({"index":0,"embedding":[)" + numbers +
                               R"(]},{"index":1,"embedding":[)" + numbers + "]}");
  INFO(asked.failure());
  REQUIRE(asked.answer.ok());
  CHECK(asked.answer->front().size() == 8001);
}

TEST_CASE("what may pass is tried again, and errors name the settings of embeddings") {
  const std::string good = R"({"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]})";
  const Asked mended = ask({replies("503 Busy", ""),
                            replies("429 Slow", "", "Retry-After: 3\r\n"),
                            replies("200 OK", good)});
  CHECK(mended.answer.ok());
  CHECK(mended.waits == 2);
  CHECK_THAT(ask({replies("500 No", "")}).failure(), Catch::Contains("status 500"));
  CHECK_THAT(ask({replies("401 No", "")}).failure(), Catch::Contains("embeddings.api_key_env"));
  CHECK_THAT(ask({replies("404 No", "")}).failure(), Catch::Contains("embeddings.model"));
  const Asked keyless = ask({replies("200 OK", good)}, "DAYBOOK_TEST_NO_SUCH_KEY");
  CHECK_THAT(keyless.failure(), Catch::Contains("DAYBOOK_TEST_NO_SUCH_KEY is not set"));
  CHECK(keyless.requests.empty());
}

TEST_CASE("more texts than an embedder takes at once are refused, and nothing is sent") {
  const ModelServer server({replies("200 OK", "{}")});
  const auto embedder = endpoint_embedder({server.origin() + "/v1", "tiny", {}, 60s, 0});
  const std::atomic<bool> cancelled{false};
  const std::vector<std::string> many(kMostTextsAtOnce + 1, "text");
  const auto answer = embedder->embed(many, cancelled);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == ErrorKind::usage);
  CHECK(server.requests().empty());
}

TEST_CASE("vectors that are not of finite numbers are refused, however they are written") {
  for (const std::string number : {"NaN", "Infinity", "1e999", "3.5e38", "null"}) {
    INFO(number);
    const Asked asked =
        answered(R"({"index":0,"embedding":[1,)" + number + R"(]},{"index":1,"embedding":[1,2]})");
    CHECK_FALSE(asked.answer.ok());
  }
}

TEST_CASE("a question that is cancelled ends though the endpoint never answers") {
  std::atomic<bool> cancelled{false};
  const ModelServer server({[&cancelled](const Peer& peer) {
    cancelled = true;  // the request is under way
    peer.hang();
  }});
  const auto embedder = endpoint_embedder({server.origin() + "/v1", "tiny", {}, 600s, 2});
  CHECK_FALSE(embedder->embed(kTexts, cancelled).ok());
  CHECK(server.requests().size() == 1);
}

TEST_CASE(
    "an embedder is known by its model, and by its address where that is not the provider's") {
  CHECK(embedder_identity("https://api.openai.com/v1", "m") == "openai:m");
  CHECK(embedder_identity("https://api.openai.com/v1/", "m") == "openai:m");
  // printf %s http://127.0.0.1:8080/v1 | sha256sum
  CHECK(embedder_identity("http://127.0.0.1:8080/v1", "m") == "openai:m:75a5be96");
  CHECK(embedder_identity("http://127.0.0.1:8080/v1/", "m") ==
        embedder_identity("http://127.0.0.1:8080/v1", "m"));
}

}  // namespace daybook::model
