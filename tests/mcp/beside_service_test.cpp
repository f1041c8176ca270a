// SPDX-License-Identifier: MIT
//
// The server beside the service that watches the same vault.
#include "cli/served_vault.hpp"
#include "mcp/memory_client.hpp"
#include "support/eventually.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <string>

namespace daybook::test {
namespace {

using nlohmann::json;

bool has_part(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "Beside the service, what is remembered is recalled at once, and what it indexes is told") {
  const ServedVault vault;
  vault.add(served_session(1));
  json stored;
  json recalled;
  json again;
  json status;
  std::string told;
  bool was_ready = false;
  bool was_shown = false;
  int ended = -1;
  const auto outcome = vault.serve([&](pid_t service) {
    was_ready = support::eventually([&] { return vault.is_ready(); });
    MemoryClient client(vault.place().path().string(), {}, kServedNowText);
    client.open();
    stored = client.call("remember", {{"content", "The numbat of the yard sleeps at noon."}});
    recalled = client.call("recall", {{"query", "numbat"}});
    // A session that arrives by another way: the service indexes it, and the client hears of it.
    vault.add(served_session(2));
    was_shown = support::eventually([&] { return vault.shows("key-2"); });
    json message = client.next();
    while (message.is_object() && told != "notifications/resources/list_changed") {
      told = message.value("method", "");
      message = told == "notifications/resources/list_changed" ? message : client.next();
    }
    again = client.call("memory_get", {{"id", "key-2"}});
    status = client.call("memory_status");
    ended = client.end();
    ::kill(service, SIGTERM);
  });
  CHECK(outcome.exit_code == 0);
  REQUIRE(was_ready);
  CHECK(stored["isError"] == false);
  CHECK(has_part(recalled.dump(), "sleeps at noon"));
  CHECK(was_shown);
  CHECK(told == "notifications/resources/list_changed");
  CHECK(again["structuredContent"]["session"]["session_key"] == "key-2");
  CHECK(status["structuredContent"]["service_running"] == true);
  CHECK(status["structuredContent"]["memories"] == 1);
  CHECK(ended == 0);
  CHECK(vault.leftovers().empty());
}

}  // namespace daybook::test
