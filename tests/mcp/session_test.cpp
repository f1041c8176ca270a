// SPDX-License-Identifier: MIT
//
// One client's messages through a Session, in this process, over a real vault.
#include "mcp/session.hpp"

#include "daybook/base/disk.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "mcp/json_rpc.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daybook::mcp {
namespace {

using support::IndexedVault;
using support::SessionFiles;

class Lines final : public Outlet {
 public:
  void write(std::string line) override {
    if (on_line) {
      on_line(line);
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::string> lines;
  std::function<void(const std::string&)> on_line;
};

/// A session over a vault, and what it answers.
class Talk {
 public:
  explicit Talk(const IndexedVault& vault, Writing writing = Writing::allowed)
      : clock_(vault.clock()),
        place_{vault.workspace(), vault.folder().path(), "default", writing},
        memory_(base::real_disk(), clock_, place_),
        session_(memory_, outlet_) {}

  std::vector<std::string> say(const std::string& line, bool cancelled = false) {
    outlet_.lines.clear();
    const Incoming incoming = read_messages(line);
    std::vector<std::shared_ptr<Request>> requests;
    for (const Message& message : incoming.messages) {
      const bool asks = message.kind == Message::Kind::request;
      requests.push_back(
          asks ? std::make_shared<Request>(message.id, Json("token"), std::chrono::milliseconds(0))
               : nullptr);
      if (asks && cancelled) {
        requests.back()->cancel();
      }
    }
    session_.take(incoming, requests);
    return outlet_.lines;
  }
  Json ask(const std::string& method, const std::string& params = "{}") {
    const auto lines =
        say(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}");
    REQUIRE_FALSE(lines.empty());
    return *Json::parse(lines.back());
  }
  int code_of(const std::string& method, const std::string& params = "{}") {
    const Json answer = ask(method, params);
    const Json* error = answer.find("error");
    return error == nullptr ? 0 : static_cast<int>(*error->find("code")->integer());
  }
  Json open(const std::string& revision = "2025-11-25") {
    Json answer = ask("initialize",
                      R"({"protocolVersion":")" + revision +
                          R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}})");
    say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return answer;
  }
  /// Called in the middle of an answer, before that line goes out.
  void on_line(std::function<void(const std::string&)> work) { outlet_.on_line = std::move(work); }
  std::vector<std::string> idle() {
    outlet_.lines.clear();
    session_.look();
    return outlet_.lines;
  }

 private:
  base::FixedClock clock_;
  ServerPlace place_;
  Memory memory_;
  Lines outlet_;
  Session session_;
};

std::string version_in(const Json& answer) {
  return answer.find("result")->text_at("protocolVersion");
}

}  // namespace

TEST_CASE("A revision that is known is agreed on, and for any other the newest is offered") {
  const IndexedVault vault;
  for (const std::string_view name : kRevisionNames) {
    CHECK(version_in(Talk(vault).open(std::string(name))) == name);
  }
  CHECK(version_in(Talk(vault).open("2099-01-01")) == "2025-11-25");
  CHECK(version_in(Talk(vault).open("2024-10-07")) == "2025-11-25");
  CHECK(Talk(vault).code_of("initialize") == rpc::kInvalidParams);
  CHECK(Talk(vault).code_of("initialize", R"({"protocolVersion":5})") == rpc::kInvalidParams);
}

TEST_CASE("Before initialize nothing but a ping is answered, and afterwards no second initialize") {
  const IndexedVault vault;
  Talk talk(vault);
  CHECK(talk.code_of("ping") == 0);
  CHECK(talk.code_of("tools/list") == rpc::kInvalidRequest);
  CHECK(talk.code_of("tools/call", R"({"name":"memory_status"})") == rpc::kInvalidRequest);
  CHECK(talk.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  CHECK(talk.code_of("tools/list") == rpc::kInvalidRequest);
  CHECK(talk.code_of("server/discover") == rpc::kMethodNotFound);
  talk.open();
  CHECK(talk.code_of("tools/list") == 0);
  CHECK(talk.code_of("initialize", R"({"protocolVersion":"2025-06-18"})") == rpc::kInvalidRequest);
}

TEST_CASE("Methods that are not there, and calls that are none, are errors of the protocol") {
  const IndexedVault vault;
  Talk talk(vault);
  talk.open();
  CHECK(talk.code_of("tools/destroy") == rpc::kMethodNotFound);
  CHECK(talk.code_of("rpc.discover") == rpc::kMethodNotFound);
  CHECK(talk.code_of("tools/call") == rpc::kInvalidParams);
  CHECK(talk.code_of("tools/call", R"({"name":"no_such_tool"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("prompts/get", R"({"name":"no-such"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("prompts/get", R"({"name":"recall-before-work"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("resources/list", R"({"cursor":"made up"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("resources/list", R"({"cursor":5})") == rpc::kInvalidParams);
  CHECK(talk.code_of("tools/list", R"({"cursor":"x"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("prompts/list", R"({"cursor":"x"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("resources/templates/list", R"({"cursor":"x"})") == rpc::kInvalidParams);
  CHECK(talk.code_of("resources/read") == rpc::kInvalidParams);
  for (const char* uri : {"daybook://memory/../x",
                          "daybook://sessions/",
                          "daybook://sessions/aaaaaaaaaaaaaaaa",
                          "daybook://sessions/aaaaaaaaaaaaaaaa/summary",
                          "file:///etc/passwd",
                          ""}) {
    CHECK(talk.code_of("resources/read", R"({"uri":")" + std::string(uri) + R"("})") ==
          rpc::kResourceNotFound);
  }
  const Json missing = talk.ask("resources/read", R"({"uri":"daybook://sessions/x"})");
  CHECK(missing.find("error")->find("data")->text_at("uri") == "daybook://sessions/x");
  CHECK(talk.say(R"({"jsonrpc":"2.0","method":"notifications/unheard-of"})").empty());
  CHECK(talk.say(R"({"jsonrpc":"2.0","method":"notifications/wrong","params":[1]})").empty());
  CHECK(talk.say(R"({"jsonrpc":"2.0","id":9,"result":{}})").empty());
}

TEST_CASE("A cursor that is null or empty begins a list anew") {
  const IndexedVault vault;
  Talk talk(vault);
  talk.open();
  for (const char* method :
       {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    INFO(method);
    CHECK(talk.code_of(method, R"({"cursor":null})") == 0);
    CHECK(talk.code_of(method, R"({"cursor":""})") == 0);
    CHECK(talk.code_of(method, "null") == 0);
  }
}

TEST_CASE("What has nothing to complete is an error of the protocol") {
  const IndexedVault vault;
  Talk talk(vault);
  talk.open();
  const auto code = [&talk](const std::string& reference, const std::string& name) {
    return talk.code_of(
        "completion/complete",
        R"({"ref":)" + reference + R"(,"argument":{"name":")" + name + R"(","value":""}})");
  };
  const std::string prompt = R"({"type":"ref/prompt","name":"recall-before-work"})";
  const std::string resource =
      R"({"type":"ref/resource","uri":"daybook://sessions/{token}/manifest"})";
  CHECK(code(prompt, "task") == 0);
  CHECK(code(resource, "token") == 0);
  CHECK(code(prompt, "other") == rpc::kInvalidParams);
  CHECK(code(resource, "other") == rpc::kInvalidParams);
  CHECK(code(R"({"type":"ref/prompt","name":"none"})", "task") == rpc::kInvalidParams);
  CHECK(code(R"({"type":"ref/resource","uri":"daybook://x/{token}"})", "token") ==
        rpc::kInvalidParams);
  CHECK(code(R"({"type":"ref/other"})", "token") == rpc::kInvalidParams);
}

TEST_CASE("Only the revision 2025-03-26 takes several messages in a line") {
  const IndexedVault vault;
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},)"
      R"(7,{"jsonrpc":"2.0","id":"b","method":"tools/list"}])";
  Talk older(vault);
  older.open("2025-03-26");
  const auto lines = older.say(batch);
  REQUIRE(lines.size() == 1);
  const auto answers = Json::parse(lines.front());
  REQUIRE(answers);
  REQUIRE(answers->elements() != nullptr);
  CHECK(answers->elements()->size() == 3);
  CHECK(older.say(R"([{"jsonrpc":"2.0","method":"notifications/x"}])").empty());

  for (const char* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Talk talk(vault);
    talk.open(revision);
    const auto refused = talk.say(batch);
    REQUIRE(refused.size() == 1);
    CHECK(refused.front().find("-32600") != std::string::npos);
  }
  Talk fresh(vault);
  CHECK(fresh.say(batch).front().find("-32600") != std::string::npos);
}

TEST_CASE("What a revision does not know is left out of its answers") {
  IndexedVault vault;
  vault.reindex();
  const auto first_tool = [](Talk& talk) {
    return talk.ask("tools/list").find("result")->find("tools")->elements()->front();
  };
  const std::string status = R"({"name":"memory_status"})";
  Talk first(vault);
  first.open("2024-11-05");
  CHECK(first_tool(first).find("annotations") == nullptr);
  CHECK(first_tool(first).find("outputSchema") == nullptr);
  CHECK(first.ask("tools/call", status).find("result")->find("structuredContent") == nullptr);
  Talk second(vault);
  second.open("2025-03-26");
  CHECK(first_tool(second).find("annotations") != nullptr);
  CHECK(first_tool(second).find("title") == nullptr);
  Talk third(vault);
  third.open("2025-06-18");
  CHECK(first_tool(third).find("outputSchema") != nullptr);
  CHECK(third.ask("tools/call", status).find("result")->find("structuredContent") != nullptr);
}

TEST_CASE("A request that was cancelled gets no answer") {
  IndexedVault vault;
  vault.reindex();
  Talk talk(vault);
  talk.open();
  const std::string call =
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_status"}})";
  CHECK(talk.say(call).size() > 1);  // progress and the answer
  CHECK(talk.say(call, true).empty());
  CHECK(talk.say(R"({"jsonrpc":"2.0","id":6,"method":"ping"})", true).empty());
}

TEST_CASE("What is forgotten is said to be, also when the index cannot follow") {
  IndexedVault vault;
  vault.add(SessionFiles("default", "one", "2026-03-28T22:34:06.792Z"));
  vault.write("memory/learnings/5-a.md", "---\nlearning_kind: fact\n---\nThe gate is green.\n");
  vault.reindex();
  Talk talk(vault);
  talk.open();
  const auto forget = [&talk](const std::string& id, const std::string& confirm) {
    const Json answer = talk.ask("tools/call",
                                 R"({"name":"memory_forget","arguments":{"id":")" + id +
                                     R"(","reason":"r")" + confirm + "}}");
    return *answer.find("result");
  };
  const std::string id = GENERATE("5", "one");
  const std::string code = forget(id, "").find("structuredContent")->text_at("confirm");
  std::optional<state::PipelineLock> other;
  talk.on_line([&](const std::string& line) {
    if (line.find("wiping") == std::string::npos || other) {
      return;
    }
    if (id == "one") {
      vault.write("daybook.yaml", "noise: [\n");  // a pass fails by it, and at once
    } else {
      auto lock =
          state::PipelineLock::acquire(vault.folder(), {"another", {vault.clock().now_ms()}});
      REQUIRE(lock);
      other = std::move(*lock);
    }
  });
  const Json result = forget(id, R"(,"confirm":")" + code + "\"");
  INFO(result.compact());
  REQUIRE(result.find("structuredContent") != nullptr);
  const Json& told = *result.find("structuredContent");
  CHECK(*result.find("isError")->truth() == false);
  CHECK(*told.find("indexed")->truth() == false);
  CHECK(*told.find("published")->truth() == false);
  CHECK(result.compact().find("Forgot ") != std::string::npos);
  CHECK(result.compact().find("could not follow just now") != std::string::npos);
  for (const Json& path : *told.find("removed_paths")->elements()) {
    CHECK_FALSE(vault.exists(*path.text()));
  }
  other.reset();
  vault.write("daybook.yaml", "");
  vault.reindex();
  CHECK(*forget(id, "").find("isError")->truth());  // there is nothing any more
}

TEST_CASE("Progress is told while a call goes on, and comes before the answer") {
  IndexedVault vault;
  vault.reindex();
  Talk talk(vault);
  talk.open();
  const auto lines = talk.say(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_status"}})");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find(R"("progressToken":"token","progress":1)") != std::string::npos);
  CHECK(lines[1].find(R"("id":5)") != std::string::npos);
}

TEST_CASE("The client is told when the index is another, and when a subscribed MEMORY.md changed") {
  IndexedVault vault;
  vault.add(SessionFiles("default", "one", "2026-03-28T22:34:06.792Z"));
  vault.reindex();
  Talk talk(vault);
  CHECK(talk.idle().empty());
  talk.open();
  CHECK(talk.idle().empty());
  vault.add(SessionFiles("default", "two", "2026-03-29T22:34:06.792Z"));
  vault.reindex();
  CHECK(talk.idle() == std::vector<std::string>{
                           R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})"});
  CHECK(talk.idle().empty());

  CHECK(talk.code_of("resources/subscribe", R"({"uri":"daybook://sessions/x"})") ==
        rpc::kInvalidParams);
  CHECK(talk.code_of("resources/subscribe", R"({"uri":"daybook://memory"})") == 0);
  vault.add(SessionFiles("default", "three", "2026-03-29T23:34:06.792Z"));
  vault.reindex();
  CHECK(talk.idle().size() == 2);
  CHECK(talk.code_of("resources/unsubscribe", R"({"uri":"daybook://memory"})") == 0);
  vault.add(SessionFiles("default", "four", "2026-03-29T23:35:06.792Z"));
  vault.reindex();
  CHECK(talk.idle().size() == 1);
}

TEST_CASE("Resources come page by page, each once, and each can be read") {
  IndexedVault vault;
  constexpr int kSessions = 120;
  for (int i = 0; i < kSessions; ++i) {  // some at the same moment
    const std::string minute = std::to_string(10 + i / 4);
    vault.add(SessionFiles(
        "default", "key-" + std::to_string(i), "2026-03-28T22:" + minute + ":06.792Z"));
  }
  vault.reindex();
  Talk talk(vault);
  talk.open();
  std::vector<std::string> uris;
  std::string params = "{}";
  int pages = 0;
  while (pages++ < 10) {
    const Json result = *talk.ask("resources/list", params).find("result");
    for (const Json& one : *result.find("resources")->elements()) {
      uris.push_back(one.text_at("uri"));
    }
    if (result.find("nextCursor") == nullptr) {
      break;
    }
    params = R"({"cursor":")" + result.text_at("nextCursor") + R"("})";
  }
  CHECK(pages == 3);
  CHECK(uris.front() == "daybook://memory");
  CHECK(uris.size() == 1 + 3 * kSessions);
  std::sort(uris.begin(), uris.end());
  CHECK(std::adjacent_find(uris.begin(), uris.end()) == uris.end());
  for (std::size_t i = 0; i < uris.size(); i += 40) {
    INFO(uris[i]);
    CHECK(talk.code_of("resources/read", R"({"uri":")" + uris[i] + R"("})") == 0);
  }
}

TEST_CASE("Tokens are completed, of this agent's sessions only") {
  IndexedVault vault;
  const SessionFiles own("default", "one", "2026-03-28T22:34:06.792Z");
  const SessionFiles other("other", "one", "2026-03-28T22:34:06.792Z");
  vault.add(own);
  vault.add(other);
  vault.reindex();
  Talk talk(vault);
  talk.open();
  const auto values = [&talk](const std::string& beginning) {
    const Json answer =
        talk.ask("completion/complete",
                 R"({"ref":{"type":"ref/resource","uri":"daybook://sessions/{token}"},)"
                 R"("argument":{"name":"token","value":")" +
                     beginning + R"("}})");
    return answer.find("result")->find("completion")->find("values")->compact();
  };
  CHECK(values(own.token().substr(0, 4)) == "[\"" + own.token() + "\"]");
  CHECK(values(other.token().substr(0, 8)) == "[]");
}

}  // namespace daybook::mcp
