// SPDX-License-Identifier: MIT
#include "daybook/model/model.hpp"
#include "support/model_server.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace daybook::model {
namespace {

using support::completion;
using support::ModelServer;
using support::replies;
using support::says;
using namespace std::chrono_literals;
using Peer = ModelServer::Peer;

constexpr auto kPatience = 60s;  // never reached: what must not be waited for is told by the server
constexpr auto kShort = 400ms;   // for servers that never come to an end

const Prompt kPrompt{"Say one sentence.", "What was done."};

/// What a server that behaves so leads to.
struct Asked {
  Result<std::string> answer;
  std::vector<std::chrono::milliseconds> waits;
  std::vector<std::string> requests;

  std::string failure() const {
    return answer.ok() ? "" : answer.error().message + " / " + answer.error().hint;
  }
};

Asked ask(std::vector<ModelServer::Behaviour> behaviours,
          std::chrono::milliseconds timeout = kPatience,
          const std::string& key_variable = {}) {
  const ModelServer server(std::move(behaviours));
  std::vector<std::chrono::milliseconds> waits;
  const auto model =
      endpoint_model({server.origin() + "/v1/", "small", key_variable, timeout, 2},
                     [&waits](std::chrono::milliseconds time) { waits.push_back(time); });
  auto answer = model->answer(kPrompt);
  return {std::move(answer), waits, server.requests()};
}

}  // namespace

TEST_CASE("an endpoint is asked for a chat completion, and its text is the answer") {
  const Asked asked = ask({says("Did \"it\".\nAll.")});
  REQUIRE(asked.answer.ok());
  CHECK(*asked.answer == "Did \"it\".\nAll.");
  CHECK(asked.waits.empty());
  REQUIRE(asked.requests.size() == 1);
  const std::string& request = asked.requests.front();
  CHECK_THAT(request, Catch::StartsWith("POST /v1/chat/completions HTTP/1.1\r\n"));
  CHECK_THAT(request, Catch::Contains("Content-Type: application/json"));
  CHECK_THAT(request, Catch::Contains(R"("model":"small")"));
  CHECK_THAT(request, Catch::Contains(R"({"content":"Say one sentence.","role":"system"})"));
  CHECK_THAT(request, Catch::Contains(R"({"content":"What was done.","role":"user"})"));
  CHECK_THAT(request, !Catch::Contains("Authorization"));
}

TEST_CASE("an answer in chunks is put together") {
  const std::string body = completion("Did it.");
  const auto chunk = [](const std::string& text) {
    std::array<char, 16> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", text.size());
    return std::string(size.data()) + text + "\r\n";
  };
  const Asked asked = ask({[&](const Peer& peer) {
    peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    peer.send(chunk(body.substr(0, 20)) + chunk(body.substr(20)) + "0\r\n\r\n");
  }});
  REQUIRE(asked.answer.ok());
  CHECK(*asked.answer == "Did it.");
}

TEST_CASE("the key comes from the named variable, and is in no message") {
  const std::string key = "made-up-key-for-this-test";
  ::setenv("DAYBOOK_TEST_KEY", key.c_str(), 1);
  const Asked right = ask({says("Did it.")}, kPatience, "DAYBOOK_TEST_KEY");
  CHECK(right.answer.ok());
  CHECK_THAT(right.requests.front(), Catch::Contains("Authorization: Bearer " + key + "\r\n"));

  const Asked refused =
      ask({replies("401 Unauthorized", "bad key " + key)}, kPatience, "DAYBOOK_TEST_KEY");
  CHECK_THAT(refused.failure(), Catch::Contains("answered with status 401"));
  CHECK_THAT(refused.failure(), Catch::Contains("DAYBOOK_TEST_KEY"));
  CHECK_THAT(refused.failure(), !Catch::Contains(key));
  CHECK(refused.requests.size() == 1);

  ::setenv("DAYBOOK_TEST_KEY", "two\r\nX-Forged: 1", 1);
  const Asked forged = ask({says("Did it.")}, kPatience, "DAYBOOK_TEST_KEY");
  CHECK_THAT(forged.failure(), Catch::Contains("characters that no key has"));
  CHECK_THAT(forged.failure(), !Catch::Contains("Forged"));
  CHECK(forged.requests.empty());

  ::unsetenv("DAYBOOK_TEST_KEY");
  const Asked unset = ask({says("Did it.")}, kPatience, "DAYBOOK_TEST_KEY");
  CHECK_THAT(unset.failure(), Catch::Contains("DAYBOOK_TEST_KEY is not set"));
  CHECK(unset.requests.empty());
}

TEST_CASE("trouble of the server is waited out, twice as long each time") {
  const Asked once = ask({replies("500 Oops", "{}"), says("Did it.")});
  CHECK(once.answer.ok());
  CHECK(once.waits == std::vector<std::chrono::milliseconds>{500ms});

  const Asked always = ask({replies("503 Busy", "{}")});
  CHECK_THAT(always.failure(), Catch::Contains("answered with status 503"));
  CHECK(always.waits == std::vector<std::chrono::milliseconds>{500ms, 1000ms});
  CHECK(always.requests.size() == 3);
}

TEST_CASE("a server that names a time to wait is heeded, up to ten seconds") {
  const auto after = [](const std::string& value) {
    return ask({replies("429 Slow down", "{}", "Retry-After: " + value + "\r\n"), says("Did it.")});
  };
  CHECK(after("3").waits == std::vector<std::chrono::milliseconds>{3s});
  CHECK(after("3").answer.ok());
  CHECK(after("3600").waits == std::vector<std::chrono::milliseconds>{10s});
  CHECK(after("99999999999999999999").waits == std::vector<std::chrono::milliseconds>{500ms});
  CHECK(after("Wed, 21 Oct 2037 07:28:00 GMT").waits ==
        std::vector<std::chrono::milliseconds>{500ms});
  CHECK(after("-1").waits == std::vector<std::chrono::milliseconds>{500ms});
}

TEST_CASE("a request that is wrong is not repeated") {
  for (const std::string status : {"400 Bad", "401 No", "403 No", "404 Where", "422 What"}) {
    INFO(status);
    const Asked asked = ask({replies(status, R"({"error":"x"})"), says("Did it.")});
    CHECK_THAT(asked.failure(), Catch::Contains("answered with status " + status.substr(0, 3)));
    CHECK(asked.requests.size() == 1);
  }
}

TEST_CASE("a redirect is not followed") {
  const ModelServer other({says("Did it.")});
  const Asked asked = ask({replies("302 Found", "", "Location: " + other.origin() + "/v1\r\n")});
  CHECK_THAT(asked.failure(), Catch::Contains("Redirects are not followed"));
  CHECK(other.requests().empty());
}

TEST_CASE("an answer that is no chat completion is refused with a reason") {
  const auto failure = [](const std::string& body) {
    return ask({replies("200 OK", body)}).failure();
  };
  CHECK_THAT(failure("<html>hello</html>"), Catch::Contains("is not JSON"));
  CHECK_THAT(failure(""), Catch::Contains("is not JSON"));
  CHECK_THAT(failure(R"({"choices":[{"message":{"content":"a)"
                     "\xff"
                     R"("}}]})"),
             Catch::Contains("is not JSON"));
  CHECK_THAT(failure(std::string(100'000, '[')), Catch::Contains("is nested too deeply"));
  CHECK_THAT(failure(R"({"error":{"message":"x"}})"), Catch::Contains("holds no choices"));
  CHECK_THAT(failure(R"(["choices"])"), Catch::Contains("holds no choices"));
  CHECK_THAT(failure("null"), Catch::Contains("holds no choices"));
  CHECK_THAT(failure(R"({"choices":[]})"), Catch::Contains("holds no choices"));
  CHECK_THAT(failure(R"({"choices":{"0":1}})"), Catch::Contains("holds no choices"));
  CHECK_THAT(failure(R"({"choices":["text"]})"), Catch::Contains("holds no message text"));
  CHECK_THAT(failure(R"({"choices":[{"message":{"content":null}}]})"),
             Catch::Contains("holds no message text"));
  CHECK_THAT(failure(R"({"choices":[{"message":{"content":"a"},"finish_reason":"length"}]})"),
             Catch::Contains("cut off at its own limit"));
}

TEST_CASE("an empty text is an answer: whoever asked judges it") {
  const Asked asked = ask({says("")});
  REQUIRE(asked.answer.ok());
  CHECK(asked.answer->empty());
}

TEST_CASE("a server that never answers is left at the deadline, and not asked again") {
  const Asked asked = ask({[](const Peer& peer) { peer.hang(); }}, kShort);
  CHECK_THAT(asked.failure(), Catch::Contains("did not answer within 400 ms"));
  CHECK(asked.requests.size() <= 1);  // a loaded machine may not even have heard it
}

TEST_CASE("a server that drips is left at the deadline, whatever it drips") {
  const std::string endless(100'000, 'x');
  const std::string head = "HTTP/1.1 200 OK\r\n";
  for (const auto& [what, start] : std::vector<std::pair<std::string, std::string>>{
           {"the status line", ""},
           {"a header", head + "X-Endless: "},
           {"the body", head + "Content-Length: 100000\r\n\r\n"},
           {"a body of no length", head + "\r\n"},
           {"the size of a chunk", head + "Transfer-Encoding: chunked\r\n\r\n"}}) {
    INFO(what);
    const Asked asked = ask(
        {[&, begin = start](const Peer& peer) { peer.send(begin) && peer.drip(endless); }}, kShort);
    CHECK_THAT(asked.failure(), Catch::Contains("did not answer within 400 ms"));
    CHECK(asked.requests.size() <= 1);  // a loaded machine may not even have heard it
  }
}

TEST_CASE("a server that sends without end is cut off long before the deadline") {
  const std::string piece(65'536, 'x');
  const std::string head = "HTTP/1.1 200 OK\r\n";
  for (const auto& [what, start] : std::vector<std::pair<std::string, std::string>>{
           {"a header", head + "X-Endless: "},
           {"a body of no length", head + "\r\n"},
           {"a body of a great length", head + "Content-Length: 99999999999\r\n\r\n"}}) {
    INFO(what);
    const Asked asked = ask({[&, begin = start](const Peer& peer) {
      peer.send(begin);
      while (peer.send(piece)) {
      }
    }});
    CHECK_THAT(asked.failure(), Catch::Contains("sent more than 256 KiB"));
    CHECK(asked.requests.size() == 1);
  }
}

TEST_CASE("a connection that breaks in the middle is tried again") {
  const auto breaks = [](const Peer& peer) {
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":");
  };
  CHECK(ask({breaks, says("Did it.")}).answer.ok());
  CHECK(ask({[](const Peer&) {}, says("Did it.")}).answer.ok());
  const Asked always = ask({breaks});
  CHECK_THAT(always.failure(), Catch::Contains("ended the connection before its answer"));
  CHECK(always.requests.size() == 3);
}

TEST_CASE("bytes that are no HTTP are a failure") {
  const Asked asked = ask({[](const Peer& peer) { peer.send("SSH-2.0-OpenSSH_9\r\n\r\n\r\n"); }});
  CHECK_FALSE(asked.answer.ok());
}

TEST_CASE("an endpoint that is not there is tried again, and named") {
  std::string origin;
  {
    const ModelServer gone({says("")});
    origin = gone.origin();
  }
  int waits = 0;
  const auto model = endpoint_model({origin + "/v1", "small", "", kPatience, 1},
                                    [&waits](std::chrono::milliseconds) { ++waits; });
  const auto answer = model->answer(kPrompt);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().message == "the model small at " + origin + "/v1 cannot be reached");
  CHECK(waits == 1);
}

TEST_CASE("an address that cannot be understood is a usage error") {
  for (const std::string url : {"",
                                "http",
                                "http://",
                                "ftp://host/v1",
                                "127.0.0.1:80",
                                "http:///v1",
                                "http://user:pw@host/v1",
                                "http://host/v1?key=1",
                                "http://ho st/v1",
                                "http://host/\r\nX: y"}) {
    INFO(url);
    const auto answer = endpoint_model({url, "m", "", kShort, 0})->answer(kPrompt);
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("a prompt that is not UTF-8 is sent as UTF-8") {
  const ModelServer server({says("Did it.")});
  const auto model = endpoint_model({server.origin(), "m", "", kPatience, 0});
  CHECK(model
            ->answer({"a",
                      "b\xff"
                      "c"})
            .ok());
  CHECK_THAT(server.requests().front(),
             Catch::Contains("b\xEF\xBF\xBD"
                             "c"));
  CHECK_THAT(server.requests().front(), Catch::StartsWith("POST /chat/completions "));
}

}  // namespace daybook::model
