// SPDX-License-Identifier: MIT
//
// What an agent remembers through the server: stored as notes, found at once, refused when it is a
// secret, seen by nobody else, and gone when it is forgotten.
#include "cli/memory_vault.hpp"
#include "mcp/memory_client.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

namespace daybook::test {
namespace {

using nlohmann::json;

constexpr const char* kNow = "2026-03-30T00:00:00Z";

class Tools {
 public:
  explicit Tools(std::vector<std::string> options = {})
      : client(prepared(vault), std::move(options), kNow) {
    client.open();
  }
  json done(const std::string& tool, const json& arguments = json::object()) {
    const json result = client.call(tool, arguments);
    INFO(result.dump());
    REQUIRE(result["isError"] == false);
    return result;
  }
  std::string failure(const std::string& tool, const json& arguments) {
    const json result = client.call(tool, arguments);
    CHECK(result["isError"] == true);
    return text_of(result);
  }

  MemoryVault vault;
  MemoryClient client;

 private:
  static std::string prepared(const MemoryVault& vault) {
    vault.index();
    return vault.place().path().string();
  }
};

}  // namespace

TEST_CASE("What is remembered is a note, confirmed by id and category, and listed at once") {
  Tools tools;
  const json stored = tools.done(
      "remember", {{"content", "The pumps are greased on Mondays."}, {"category", "The Pumps!"}});
  const json memory = stored["structuredContent"]["memory"];
  const std::string id = std::to_string(memory["id"].get<std::uint64_t>());
  CHECK(text_of(stored) == "Stored semantic memory (id: " + id + ", category: the_pumps).");
  CHECK(memory["learning_kind"] == "fact");
  CHECK(stored["structuredContent"]["indexed"] == true);
  CHECK(contains(tools.vault.place().read("vault/" + memory["path"].get<std::string>()),
                 "The pumps are greased on Mondays."));
  CHECK(contains(tools.vault.place().read("vault/MEMORY.md"), "The pumps are greased on Mondays."));

  const json listed = tools.done("list_memories");
  CHECK(text_of(listed) ==
        "[semantic:the_pumps] (2026-03-30T00:00:00.000Z) The pumps are greased on Mondays. (id=" +
            id + ")");
  CHECK(tools.done("memory_status")["structuredContent"]["memories"] == 1);
  CHECK(tools.done("memory_status")["structuredContent"]["fresh"] == true);
  const json recalled = tools.done("recall", {{"query", "grease the pumps"}});
  CHECK(recalled["structuredContent"]["results"][0]["learning_id"] == memory["id"]);
  CHECK(contains(text_of(recalled), "[Type: semantic | Category: the_pumps | Score: "));
  CHECK(tools
            .done("recall",
                  {{"query", "pumps"},
                   {"memory_types", {"procedural"}}})["structuredContent"]["results"]
            .empty());
  const json opened = tools.done("memory_get", {{"id", id}});
  CHECK(opened["structuredContent"]["learning"] == memory);
  CHECK(tools.done("memory_get", {{"id", memory["path"]}})["structuredContent"]["learning"] ==
        memory);

  const json again = tools.done("remember", {{"content", " The pumps are greased on Mondays.\n"}});
  CHECK(again["structuredContent"]["known_already"] == true);
  CHECK(again["structuredContent"]["memory"]["id"] == memory["id"]);
}

TEST_CASE("Each tool stores its kind, and the list can be asked for one of them") {
  Tools tools;
  tools.done("remember", {{"content", "Tabs, not blanks."}, {"kind", "preference"}});
  tools.done("record_episode", {{"content", "The import failed twice."}, {"category", "import"}});
  const json procedure =
      tools.done("learn_procedure", {{"content", "To import: stop the pump, then import."}});
  CHECK(procedure["structuredContent"]["memory"]["learning_kind"] == "procedure");
  const json episodes = tools.done("list_memories", {{"memory_type", "episodic"}});
  CHECK(text_of(episodes).starts_with(
      "[episodic:import] (2026-03-30T00:00:00.000Z) The import failed twice. (id="));
  CHECK(tools.done("list_memories", {{"category", "IMPORT"}})["structuredContent"]["total"] == 1);
  const json one = tools.done("list_memories", {{"limit", 1}});
  CHECK(one["structuredContent"]["memories"].size() == 1);
  CHECK(contains(text_of(one), "older ones are not listed"));
  CHECK(contains(tools.failure("list_memories", {{"memory_type", "all"}}), "must be one of"));
  CHECK(contains(tools.failure("record_episode", {{"content", "x"}, {"kind", "fact"}}),
                 "have no 'kind'"));
}

TEST_CASE("What is remembered of a project answers where that project is asked for, or none") {
  Tools tools;
  const json stored = tools.done(
      "remember", {{"content", "The sluice opens inwards."}, {"project", "/home/dev/tidewater"}});
  CHECK(stored["structuredContent"]["memory"]["scope"] == "project:/home/dev/tidewater");
  const auto found = [&tools](json arguments) {
    arguments["query"] = "sluice";
    return tools.done("recall", arguments)["structuredContent"]["results"].size();
  };
  CHECK(found({}) == 1);
  CHECK(found({{"project", "tidewater"}}) == 1);
  CHECK(found({{"project", "quillmark"}}) == 0);
  CHECK(contains(tools.done("memory_context", {{"query", "sluice"}, {"session", "key-1"}}).dump(),
                 "opens inwards"));
  CHECK_FALSE(contains(tools.done("memory_context", {{"query", "sluice"}}).dump(), "inwards"));
}

TEST_CASE("What holds a secret, is too long or empty is refused, and nothing is written") {
  Tools tools;
  const std::string secret = "AKIA" + std::string("IOSFODNN7EXAMPLQ");
  const std::string told = tools.failure("remember", {{"content", "The key is " + secret}});
  CHECK_FALSE(contains(told, secret));
  CHECK(contains(tools.failure("remember", {{"content", std::string(1601, 'x')}}),
                 "may have at most 1600"));
  CHECK(contains(tools.failure("remember", {{"content", ""}}), "`content` is empty"));
  tools.failure("remember", {{"content", " \n "}});
  CHECK_FALSE(std::filesystem::exists(tools.vault.place().at("vault/memory/learnings")));
  CHECK(text_of(tools.done("list_memories")) == "No memories found.");
}

TEST_CASE("A memory that does not count says so when it is opened") {
  Tools tools;
  const json memory =
      tools.done("learn_procedure", {{"content", "Weigh anchor."}})["structuredContent"]["memory"];
  const std::string id = std::to_string(memory["id"].get<std::uint64_t>());
  CHECK(contains(text_of(tools.done("memory_get", {{"id", id}})),
                 "Do not rely on it: it is provisional."));
  const json fact =
      tools.done("remember", {{"content", "Anchors weigh."}})["structuredContent"]["memory"];
  CHECK_FALSE(contains(text_of(tools.done("memory_get", {{"id", fact["path"]}})), "rely"));
}

TEST_CASE("What the user has revoked counts no sooner for being remembered again") {
  Tools tools;
  const json wish = {{"content", "The pumps are greased on Mondays."}};
  const json first = tools.done("remember", wish)["structuredContent"];
  CHECK(first["revoked_before"] == false);
  const std::string id = std::to_string(first["memory"]["id"].get<std::uint64_t>());
  REQUIRE(tools.vault.run({"learnings", "revoke", id, "--reason", "stale"}).exit_code == 0);
  const json again = tools.done("remember", wish);
  CHECK(again["structuredContent"]["revoked_before"] == true);
  CHECK(again["structuredContent"]["known_already"] == false);
  CHECK(again["structuredContent"]["memory"]["status"] == "provisional");
  CHECK(contains(text_of(again), "The user has revoked a memory that says the same"));
  CHECK(contains(text_of(again), "daybook learnings approve "));
  CHECK(text_of(tools.done("list_memories")) == "No memories found.");
  CHECK(tools.done("recall", {{"query", "grease the pumps"}})["structuredContent"]["results"]
            .empty());
  const json third = tools.done("remember", wish);
  CHECK(third["structuredContent"]["known_already"] == true);
  CHECK(contains(text_of(third), "counts once the user has approved it"));
}

TEST_CASE("A memory of one project or session is listed with its scope, and says so when opened") {
  Tools tools;
  const auto opened = [&tools](const json& memory) {
    return text_of(
        tools.done("memory_get", {{"id", std::to_string(memory["id"].get<std::uint64_t>())}}));
  };
  const std::string project = "/home/dev/tidewater";
  tools.vault.run({"learnings", "add", "Slack water here.", "--scope", "session:key-1"});
  tools.vault.run({"learnings", "add", "Slack water there.", "--scope", "project:" + project});
  const json stored = tools.done("remember", {{"content", "Slack water everywhere."}});
  const json listed = tools.done("list_memories")["structuredContent"]["memories"];
  REQUIRE(listed.size() == 3);
  for (const json& memory : listed) {
    INFO(memory.dump());
    const std::string scope = memory["scope"];
    const std::string text = opened(memory);
    CHECK(contains(text, "holds in the session key-1 alone.") == (scope == "session:key-1"));
    CHECK(contains(text, "holds in the project " + project + " alone.") ==
          (scope == "project:" + project));
    CHECK(contains(text, "alone") == (memory != stored["structuredContent"]["memory"]));
  }
  const json told =
      tools.done("recall", {{"query", "slack water"}})["structuredContent"]["results"];
  CHECK(told.size() == 2);  // nothing of a session's scope, whoever asks
  CHECK_FALSE(contains(told.dump(), "Slack water here."));
}

TEST_CASE("Another agent's memories are not there, by list, id, path or removal") {
  Tools tools;
  MemoryClient other(tools.vault.place().path().string(), {"--agent", "other"}, kNow);
  other.open();
  const json memory =
      tools.done("remember",
                 {{"content", "Only default knows of the cellar."}})["structuredContent"]["memory"];
  CHECK(text_of(other.call("list_memories")) == "No memories found.");
  for (const std::string& id :
       {std::to_string(memory["id"].get<std::uint64_t>()), memory["path"].get<std::string>()}) {
    INFO(id);
    for (const json& arguments :
         {json{{"id", id}}, json{{"id", id}, {"reason", "x"}, {"confirm", "none"}}}) {
      const json result =
          other.call(arguments.contains("reason") ? "memory_forget" : "memory_get", arguments);
      CHECK(result["isError"] == true);
      CHECK(contains(text_of(result), "There is no session or note"));
    }
  }
  CHECK_FALSE(contains(other.call("memory_context").dump(), "cellar"));
  const json nothing = other.call("recall", {{"query", "cellar"}});
  CHECK(nothing["structuredContent"]["results"].empty());
  CHECK(tools.done("list_memories")["structuredContent"]["total"] == 1);
  CHECK(other.end() == 0);
}

TEST_CASE("Two servers that remember at once lose nothing") {
  Tools tools;
  MemoryClient second(tools.vault.place().path().string(), {}, kNow);
  second.open();
  constexpr int kEach = 10;
  std::vector<int> first_ids;
  std::vector<int> second_ids;
  for (int i = 0; i < kEach; ++i) {
    const auto post = [i](MemoryClient& client, const char* who) {
      return client.post(
          "tools/call",
          {{"name", "remember"},
           {"arguments", {{"content", "Thing " + std::to_string(i) + " that " + who + " saw."}}}});
    };
    first_ids.push_back(post(tools.client, "one"));
    second_ids.push_back(post(second, "two"));
  }
  for (int i = 0; i < kEach; ++i) {
    CHECK(tools.client.answer_to(first_ids[static_cast<std::size_t>(i)])["result"]["isError"] ==
          false);
    CHECK(second.answer_to(second_ids[static_cast<std::size_t>(i)])["result"]["isError"] == false);
  }
  CHECK(tools.done("list_memories", {{"limit", 500}})["structuredContent"]["total"] == 2 * kEach);
  CHECK(second.end() == 0);
  tools.vault.run({"reindex"});
  CHECK(tools.done("memory_status")["structuredContent"]["memories"] == 2 * kEach);
}

}  // namespace daybook::test
