// SPDX-License-Identifier: MIT
//
// `daybook mcp` whose client goes away, closes what a server writes to, starts it without a stream,
// or asks for more than can be answered.
#include "cli/memory_vault.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "mcp/memory_client.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::test {
namespace {

using nlohmann::json;

constexpr const char* kNow = "2026-03-30T00:00:00Z";

support::ProgramOutcome shell(const MemoryVault& vault, const std::string& script) {
  support::Program program;
  program.command = {"/bin/sh",
                     "-c",
                     script,
                     DAYBOOK_BINARY,
                     vault.place().at("vault"),
                     vault.place().at("state")};
  program.folder = vault.place().path();
  return support::run(program);
}

constexpr const char* kHello =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
constexpr const char* kRemember =
    R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember",)"
    R"("arguments":{"content":"Heard to the end."}}})";

}  // namespace

TEST_CASE("A client that closes the server's stderr loses no call, however talkative it is") {
  MemoryVault vault;
  vault.index();
  vault.place().write("in.txt", std::string(kHello) + "\n" + kRemember + "\n");
  // The reader of stderr is gone before the first line.
  const auto outcome = shell(vault,
                             "{ \"$0\" --verbose --workspace \"$1\" --state-dir \"$2\" mcp "
                             "<in.txt >out.txt 2>&3; echo $? >code.txt; } 3>&1 | :");
  CHECK(outcome.exit_code == 0);
  CHECK(vault.place().read("code.txt") == "0\n");
  CHECK(contains(vault.place().read("out.txt"), "Stored semantic memory"));
}

TEST_CASE("A server without a standard stream ends, and takes no file for it") {
  MemoryVault vault;
  vault.index();
  for (const std::string without : {"<&-", "<&- 2>&-", "</dev/null >&-", "<&- >&- 2>&-"}) {
    INFO(without);
    const auto outcome =
        shell(vault, "exec \"$0\" --workspace \"$1\" --state-dir \"$2\" mcp " + without);
    CHECK(outcome.signal == 0);
  }
  CHECK(vault.run({"recall", "heron"}).exit_code == 0);
}

TEST_CASE("A server whose output nobody reads any more ends, though nothing is asked") {
  MemoryVault vault;
  vault.index();
  MemoryClient client(vault.place().path().string(), {}, kNow);
  client.open();
  client.program().close_output();
  CHECK(client.program().wait() == 0);
}

TEST_CASE("Behind more calls than can wait, a ping is answered and a cancellation is heard") {
  constexpr int kMany = 1500;
  MemoryVault vault;
  vault.index();
  MemoryClient client(vault.place().path().string(), {}, kNow);
  client.open();
  const auto folder = state::StateFolder::open(
      vault.place().at("state"), vault.place().at("vault"), state::Create::never);
  REQUIRE(folder);
  auto lock = state::PipelineLock::acquire(*folder, {"a test", {base::SystemClock().now_ms()}});
  REQUIRE(lock);
  const int busy = client.post("tools/call",
                               {{"name", "memory_forget"},
                                {"arguments", {{"id", "x"}, {"reason", "x"}, {"confirm", "none"}}},
                                {"_meta", {{"progressToken", "p"}}}});
  CHECK(client.next()["params"]["progressToken"] == "p");  // it is under way now
  for (int i = 0; i < kMany; ++i) {
    client.post("prompts/list");
  }
  CHECK(client.ask("ping")["result"] == json::object());
  client.tell("notifications/cancelled", {{"requestId", busy}});
  int refused = 0;
  for (const json& message : client.heard()) {
    refused += message.value("/error/code"_json_pointer, 0) == -32000 ? 1 : 0;
  }
  CHECK(refused > 0);
  // Each gets one answer, and the call that was cancelled none.
  for (int answered = refused; answered < kMany;) {
    const json message = client.next();
    REQUIRE(message.is_object());
    CHECK(message.value("id", json()) != busy);
    answered += message.contains("id") ? 1 : 0;
  }
  CHECK(client.end() == 0);
}

TEST_CASE("A broken daybook.yaml is told as what it is, and memory_status tells it, too") {
  MemoryVault vault;
  vault.index();
  MemoryClient client(vault.place().path().string(), {}, kNow);
  client.open();
  vault.place().write("vault/daybook.yaml", "noise: [\n");
  for (const auto& [tool, arguments] :
       std::vector<std::pair<std::string, json>>{{"recall", {{"query", "heron"}}},
                                                 {"remember", {{"content", "x y z"}}},
                                                 {"memory_forget", {{"id", "1"}, {"reason", "x"}}},
                                                 {"list_memories", json::object()}}) {
    INFO(tool);
    const json result = client.call(tool, arguments);
    CHECK(result["_meta"]["daybook/error"]["code"] == "configuration");
    CHECK(contains(text_of(result), "daybook.yaml"));
  }
  const json status = client.call("memory_status");
  CHECK(status["isError"] == false);
  CHECK(status["structuredContent"]["sessions"] == 4);
  CHECK(contains(status["structuredContent"]["configuration"], "daybook.yaml"));
  CHECK(contains(status["structuredContent"]["degraded"].dump(), "\"configuration\""));
  CHECK(contains(text_of(status), "daybook.yaml cannot be used"));
  vault.place().write("vault/daybook.yaml", "");
  CHECK(client.call("memory_status")["structuredContent"]["configuration"].is_null());
  CHECK(client.end() == 0);
}

TEST_CASE("A MEMORY.md of more than a MiB is cut between characters") {
  MemoryVault vault;
  vault.index();
  std::string text = "x";
  while (text.size() < (3U << 20U)) {
    text.append("äöü\n");
  }
  vault.place().write("vault/MEMORY.md", text);
  MemoryClient client(vault.place().path().string(), {}, kNow);
  client.open();
  const json read = client.ask("resources/read", {{"uri", "daybook://memory"}});
  const std::string got = read["result"]["contents"][0]["text"];
  CHECK(got.size() < (2U << 20U));
  CHECK(got.starts_with("xäöü\n"));
  CHECK(contains(got, "[cut: "));
  CHECK_FALSE(contains(got, "\\x"));
  CHECK(client.end() == 0);
}

}  // namespace daybook::test
