// SPDX-License-Identifier: MIT
//
// `daybook mcp` as a process: what it does with every kind of bad input, how it ends, and that not
// a byte but messages leaves it.
#include "cli/memory_vault.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "mcp/memory_client.hpp"
#include "support/eventually.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::test {
namespace {

using nlohmann::json;

constexpr const char* kNow = "2026-03-30T00:00:00Z";

class Server {
 public:
  explicit Server(std::vector<std::string> options = {}) {
    vault.index();
    client.emplace(vault.place().path().string(), std::move(options), kNow);
  }
  MemoryVault vault;
  std::optional<MemoryClient> client;
};

/// Every line that is left is one JSON-RPC message.
bool are_messages(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const json message = json::parse(line, nullptr, false);
    const bool fits = message.is_object() && message.value("jsonrpc", "") == "2.0";
    if (!fits && !message.is_array()) {
      return false;
    }
  }
  return text.empty() || text.back() == '\n';
}

}  // namespace

TEST_CASE("What is piped into the server is answered line by line, and it ends with its input") {
  Server server;
  server.client->open();
  server.client->post("tools/list");
  server.client->post("tools/call", {{"name", "recall"}, {"arguments", {{"query", "heron"}}}});
  server.client->post("ping");
  std::string rest;
  CHECK(server.client->end(&rest) == 0);
  CHECK(are_messages(rest));
  CHECK(contains(rest, "\"id\":2"));
  CHECK(contains(rest, "\"id\":3"));
  CHECK(contains(rest, "\"id\":4"));
}

TEST_CASE("Broken input of every kind gets its error, and the next message its answer") {
  Server server;
  MemoryClient& client = *server.client;
  client.open();
  const auto code_for = [&client](const std::string& line) {
    client.send_line(line);
    const json answer = client.next();
    return answer.value("/error/code"_json_pointer, 0);
  };
  CHECK(code_for("nonsense") == -32700);
  CHECK(code_for("{\"jsonrpc\":\"2.0\"") == -32700);
  CHECK(code_for(std::string("\xFF\xFE\x00\x01", 4)) == -32700);
  CHECK(code_for(std::string(100'000, '[')) == -32700);
  CHECK(code_for("5") == -32600);
  CHECK(code_for("[]") == -32600);
  CHECK(code_for(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])") == -32600);
  CHECK(code_for(R"({"jsonrpc":"2.0","id":{},"method":"ping"})") == -32600);
  CHECK(code_for(R"({"jsonrpc":"2.0","id":7,"method":"no/such"})") == -32601);
  CHECK(code_for(R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"x"}})") ==
        -32602);
  client.send_line("");
  client.send_line("   \r");
  client.send_line(R"({"jsonrpc":"2.0","id":99,"result":{}})");
  CHECK(client.ask("ping")["result"] == json::object());
  std::string rest;
  CHECK(client.end(&rest) == 0);
  CHECK(rest.empty());
}

TEST_CASE("An argument of 10 MB is refused in few words, and one of 20 MB skipped") {
  Server server;
  MemoryClient& client = *server.client;
  client.open();
  const json result = client.call("recall", {{"query", std::string(10'000'000, 'x')}});
  CHECK(result["isError"] == true);
  CHECK(contains(text_of(result), "`query` has 10000000 characters, but may have at most 2000"));
  CHECK(result.dump().size() < 1000);

  client.send_line(std::string(20'000'000, 'x'));
  const json skipped = client.next();
  CHECK(skipped["error"]["code"] == -32600);
  CHECK(skipped["id"].is_null());
  CHECK(client.ask("ping")["result"] == json::object());
  CHECK(client.end() == 0);
}

TEST_CASE("A call that waits is cancelled, gets no answer, and the next one does") {
  Server server;
  MemoryClient& client = *server.client;
  client.open();
  const auto folder = state::StateFolder::open(
      server.vault.place().at("state"), server.vault.place().at("vault"), state::Create::never);
  REQUIRE(folder);
  auto lock = state::PipelineLock::acquire(*folder, {"a test", {base::SystemClock().now_ms()}});
  REQUIRE(lock);
  const int id =
      client.post("tools/call",
                  {{"name", "memory_forget"},
                   {"arguments", {{"id", "key-1"}, {"reason", "x"}, {"confirm", "none"}}},
                   {"_meta", {{"progressToken", "p"}}}});
  CHECK(client.next()["params"]["progressToken"] == "p");  // it is under way now
  CHECK(client.ask("ping")["result"] == json::object());   // and others are answered
  client.tell("notifications/cancelled", {{"requestId", id}, {"reason", "changed my mind"}});
  CHECK(client.call("memory_get", {{"id", "key-1"}})["isError"] == false);
  for (const json& message : client.heard()) {
    CHECK(message.value("id", json()) != id);
  }
  client.tell("notifications/cancelled", {{"requestId", id}});  // nobody's any more
  client.tell("notifications/cancelled", {{"requestId", "unknown"}});
  client.tell("notifications/cancelled");
  std::string rest;
  CHECK(client.end(&rest) == 0);
  CHECK(are_messages(rest));
}

TEST_CASE("A vault that is busy is told by its holder's name, and can be tried again") {
  Server server;
  MemoryClient& client = *server.client;
  client.open();
  const auto folder = state::StateFolder::open(
      server.vault.place().at("state"), server.vault.place().at("vault"), state::Create::never);
  REQUIRE(folder);
  const json look = client.call("memory_forget", {{"id", "key-1"}, {"reason", "x"}});
  const json arguments{{"id", "key-1"}, {"reason", "x"}, {"confirm", MemoryClient::code_in(look)}};
  {
    auto lock = state::PipelineLock::acquire(*folder, {"a test", {base::SystemClock().now_ms()}});
    REQUIRE(lock);
    const json result = client.call("memory_forget", arguments);
    CHECK(result["isError"] == true);
    CHECK(result["_meta"]["daybook/error"]["retryable"] == true);
    CHECK(contains(text_of(result), "a test"));
  }
  CHECK(client.call("memory_forget", arguments)["isError"] == false);
  CHECK(client.end() == 0);
}

TEST_CASE("A client that closes its end ends the server quietly, also in the middle of an answer") {
  Server server;
  MemoryClient& client = *server.client;
  client.open();
  for (int i = 0; i < 200; ++i) {
    client.post("tools/list");
  }
  client.program().close_output();
  CHECK(client.program().wait() == 0);
  CHECK(server.vault.place().read("mcp-errors.txt").empty());
}

TEST_CASE("SIGTERM ends the server with 0, with and without a call under way") {
  for (const bool busy : {false, true}) {
    Server server;
    MemoryClient& client = *server.client;
    client.open();
    const auto folder = state::StateFolder::open(
        server.vault.place().at("state"), server.vault.place().at("vault"), state::Create::never);
    REQUIRE(folder);
    auto lock = state::PipelineLock::acquire(*folder, {"a test", {base::SystemClock().now_ms()}});
    REQUIRE(lock);
    if (busy) {
      client.post("tools/call",
                  {{"name", "memory_forget"},
                   {"arguments", {{"id", "key-1"}, {"reason", "x"}, {"confirm", "none"}}},
                   {"_meta", {{"progressToken", "p"}}}});
      CHECK(client.next()["method"] == "notifications/progress");
    }
    ::kill(client.program().id(), SIGTERM);
    CHECK(client.program().wait() == 0);
  }
}

TEST_CASE("The server ends when its parent is gone, though its pipes stay open") {
  MemoryVault vault;
  vault.index();
  const std::string mark = vault.place().at("pid");
  // A shell that starts the server beside itself, says its number, and ends once it is up.
  support::Program shell;
  shell.command = {"/bin/sh",
                   "-c",
                   "(echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}'; exec sleep 1000) |"
                   " \"$0\" --workspace \"$1\" --state-dir \"$2\" mcp >\"$3.out\" &"
                   " echo $! > \"$3\"; until [ -s \"$3.out\" ]; do :; done",
                   DAYBOOK_BINARY,
                   vault.place().at("vault"),
                   vault.place().at("state"),
                   mark};
  pid_t group = 0;
  shell.meanwhile = [&group](pid_t child) { group = child; };
  CHECK(support::run(shell).exit_code == 0);
  const pid_t server = std::stoi(vault.place().read("pid"));
  CHECK(support::eventually([server] { return ::kill(server, 0) != 0; }));
  ::kill(-group, SIGKILL);  // what sleeps
}

TEST_CASE("Notes with control characters leave as data on one line, and are shown escaped") {
  MemoryVault vault;
  auto files =
      vault.session("default", "odd", "2026-03-29T10:00:00.000Z", "osprey", "/home/dev/tidewater");
  files.summary.body = "# The osprey\n\nred \x1B[31m and \xE2\x80\xAE turned\r\nnext\tline\n";
  files.write(vault.place(), "vault");
  vault.index();
  MemoryClient client(vault.place().path().string(), {}, kNow);
  client.open();
  client.post("tools/call", {{"name", "memory_get"}, {"arguments", {{"id", "odd"}}}});
  const auto line = client.program().line();
  REQUIRE(line);
  for (const char c : *line) {
    CHECK((c >= 0x20 && c < 0x7F));
  }
  const std::string text = text_of(json::parse(*line)["result"]);
  CHECK(contains(text, "red \\x1b[31m and \\u202e turned\nnext\tline\n"));
  CHECK(client.end() == 0);
}

TEST_CASE("A vault without an index answers what to do, and nothing is made") {
  MemoryVault vault;
  MemoryClient client(vault.place().path().string(), {}, kNow);
  client.open();
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, json>>{
           {"recall", {{"query", "heron"}}},
           {"memory_search", {{"query", "heron"}}},
           {"memory_context", json::object()},
           {"memory_get", {{"id", "key-1"}}},
           {"memory_forget", {{"id", "key-1"}, {"reason", "x"}}}}) {
    INFO(tool);
    const json result = client.call(tool, arguments);
    CHECK(result["isError"] == true);
    CHECK(contains(text_of(result), "daybook reindex"));
  }
  const json status = client.call("memory_status");
  CHECK(status["isError"] == false);
  CHECK(status["structuredContent"]["indexed"] == false);
  CHECK(client.ask("resources/list")["result"]["resources"].empty());
  CHECK_FALSE(std::filesystem::exists(vault.place().at("state")));
  vault.index();
  CHECK(client.call("recall", {{"query", "heron"}})["structuredContent"]["results"].size() == 1);
  CHECK(client.end() == 0);
}

}  // namespace daybook::test
