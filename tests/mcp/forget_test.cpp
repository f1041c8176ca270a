// SPDX-License-Identifier: MIT
//
// memory_forget: what is meant goes, all of it and nothing else, and not before somebody has seen
// what that is.
#include "cli/memory_vault.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/lineage/learning.hpp"
#include "mcp/memory_client.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Long enough to be told from any other.
constexpr const char* kGate =
    "The gate of the yard is painted green in spring, before the first tide of April, because the "
    "paint has to dry for three days and nobody may pass meanwhile.";
constexpr const char* kNow = "2026-03-30T00:00:00Z";

/// Names below memory/learnings/, and fields of each besides its kind.
using Learnings = std::vector<std::pair<std::string, std::string>>;

class Tools {
 public:
  explicit Tools(const Learnings& learnings = {}, std::vector<std::string> options = {})
      : client(prepared(vault, learnings), std::move(options), kNow) {
    client.open();
  }
  json done(const std::string& tool, const json& arguments = json::object()) {
    const json result = client.call(tool, arguments);
    INFO(result.dump());
    REQUIRE(result["isError"] == false);
    return result["structuredContent"];
  }
  std::string failure(const json& arguments) {
    const json result = client.call("memory_forget", arguments);
    CHECK(result["isError"] == true);
    return text_of(result);
  }
  bool has(const std::string& path) const { return fs::exists(vault.place().at("vault/" + path)); }

  MemoryVault vault;
  MemoryClient client;

 private:
  static std::string prepared(const MemoryVault& vault, const Learnings& learnings) {
    for (const char* key : {"job-1", "job-10"}) {
      vault.write("default", key, "2026-03-28T10:00:00.000Z", "newt", "/home/dev/tidewater");
    }
    for (const auto& [name, fields] : learnings) {
      vault.place().write("vault/memory/learnings/" + name,
                          "---\nlearning_kind: fact\n" + fields + "---\nThis is " + name + ".\n");
    }
    vault.index();
    return vault.place().path().string();
  }
};

std::size_t files_of(const Tools& tools, const std::string& key) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(tools.vault.place().at("vault/memory"))) {
    const std::string name = entry.path().filename().string();
    count += contains(name, token_of("default", key)) && !contains(name, "tombstone") ? 1U : 0U;
  }
  return count;
}

}  // namespace

TEST_CASE("memory_forget asks for a reason, says first what would go, and then it is gone") {
  Tools tools;
  const std::string token = token_of("default", "key-1");
  CHECK(contains(tools.failure({{"id", token}}), "must have `reason`"));
  CHECK(contains(tools.failure({{"id", token}, {"reason", ""}}), "`reason` is empty"));
  const json look = tools.client.call("memory_forget", {{"id", token}, {"reason", "a mistake"}});
  const json& dry = look["structuredContent"];
  CHECK(dry["dry_run"] == true);
  CHECK(dry["removed_paths"].size() == 3);
  CHECK(dry["tombstone"].is_null());
  CHECK(contains(text_of(look), "confirm: \"" + MemoryClient::code_in(look) + "\""));
  CHECK(tools.done("memory_get", {{"id", token}})["body"]["withheld"] == false);

  const json done = tools.done(
      "memory_forget", {{"id", token}, {"reason", "a mistake"}, {"confirm", dry["confirm"]}});
  CHECK(done["dry_run"] == false);
  CHECK(done["confirm"].is_null());
  CHECK(done["removed_paths"] == dry["removed_paths"]);
  for (const std::string path : done["removed_paths"]) {
    CHECK_FALSE(tools.has(path));
  }
  CHECK(tools.has(done["tombstone"]));
  CHECK(contains(text_of(tools.client.call("memory_get", {{"id", token}})), "was removed"));
  CHECK(tools.done("recall", {{"query", "heron"}})["results"].empty());
  CHECK_FALSE(contains(tools.vault.place().read("vault/MEMORY.md"), "key-1"));
}

TEST_CASE("A memory is forgotten after a look at what would go, and does not come back") {
  Tools tools;
  const json memory = tools.done("remember", {{"content", kGate}})["memory"];
  const std::string path = memory["path"];
  const json dry = tools.done("memory_forget", {{"id", memory["id"]}, {"reason", "wrong"}});
  CHECK(dry["what"] == "learning");
  CHECK(dry["dry_run"] == true);
  CHECK(dry["removed_paths"] == json::array({path}));
  CHECK(tools.has(path));
  const json done = tools.done(
      "memory_forget", {{"id", memory["id"]}, {"reason", "wrong"}, {"confirm", dry["confirm"]}});
  CHECK(done["dry_run"] == false);
  CHECK_FALSE(tools.has(path));
  CHECK(tools.done("list_memories")["total"] == 0);
  CHECK(contains(text_of(tools.client.call("remember", {{"content", kGate}})), "stays away"));
  CHECK(tools.done("memory_status")["fresh"] == true);
}

TEST_CASE("Nothing goes without a look, nor by the code of another plan") {
  Tools tools(Learnings{{"5-a.md", ""}, {"6-b.md", ""}});
  for (const json& confirm : std::vector<json>{true, 1}) {
    const std::string told =
        tools.failure({{"id", "job-1"}, {"reason", "r"}, {"confirm", confirm}});
    CHECK(contains(told, "must be a text: The code that the answer without confirm gave"));
  }
  const std::string of_session =
      tools.done("memory_forget", {{"id", "job-1"}, {"reason", "r"}})["confirm"];
  const std::string of_note =
      tools.done("memory_forget", {{"id", "5"}, {"reason", "r"}})["confirm"];
  CHECK(of_session != of_note);
  for (const auto& [id, confirm] :
       std::vector<std::pair<std::string, std::string>>{{"job-1", "true"},
                                                        {"job-1", ""},
                                                        {"job-1", of_note},
                                                        {"job-10", of_session},
                                                        {"5", of_session},
                                                        {"6", of_note},
                                                        {"5", "000000000000"}}) {
    INFO(id << " " << confirm);
    tools.failure({{"id", id}, {"reason", "r"}, {"confirm", confirm}});
  }
  CHECK(contains(tools.failure({{"id", "5"}, {"reason", "r"}, {"confirm", of_session}}),
                 "Call without confirm"));
  // What a look has shown is another plan as soon as something about it has changed.
  tools.vault.place().write("vault/memory/learnings/5-a.md",
                            "---\nlearning_kind: fact\n---\nNow it says something else.\n");
  tools.failure({{"id", "5"}, {"reason", "r"}, {"confirm", of_note}});
  auto files = tools.vault.session(
      "default", "job-1", "2026-03-28T10:00:00.000Z", "newt", "/home/dev/tidewater");
  files.manifest.fields.set_text("harness", "another");
  files.write(tools.vault.place(), "vault");
  tools.failure({{"id", "job-1"}, {"reason", "r"}, {"confirm", of_session}});
  CHECK(files_of(tools, "job-1") == 3);
  CHECK(files_of(tools, "job-10") == 3);
  CHECK(tools.has("memory/learnings/5-a.md"));
  CHECK(tools.has("memory/learnings/6-b.md"));
  CHECK(tools.client.forget("job-1")["isError"] == false);
}

TEST_CASE("A session that is forgotten again is told as removed, and none with a like name goes") {
  Tools tools;
  CHECK(tools.client.forget("job-1")["isError"] == false);
  CHECK(files_of(tools, "job-1") == 0);
  for (const std::string id : {"job-1", "run-default-job-1"}) {
    INFO(id);
    CHECK(contains(tools.failure({{"id", id}, {"reason", "again"}}), "was removed"));
    CHECK(contains(text_of(tools.client.call("memory_get", {{"id", id}})), "was removed"));
  }
  for (const std::string& beginning :
       {std::string("job"), std::string("j"), token_of("default", "job-10").substr(0, 6)}) {
    INFO(beginning);
    CHECK(contains(tools.failure({{"id", beginning}, {"reason", "r"}}), "There is no session"));
    CHECK(tools.client.call("memory_get", {{"id", beginning}})["isError"] == true);
  }
  CHECK(files_of(tools, "job-10") == 3);
}

TEST_CASE("A path means the note that stands there, and a number the note that says it") {
  Tools tools(Learnings{{"123-a.md", "learning_id: 456\n"}, {"b.md", "learning_id: 123\n"}});
  const auto path_of = [&tools](const json& id) {
    return tools.done("memory_get", {{"id", id}})["learning"]["path"].get<std::string>();
  };
  CHECK(path_of("memory/learnings/123-a.md") == "memory/learnings/123-a.md");
  CHECK(path_of("123") == "memory/learnings/b.md");
  CHECK(path_of(123) == "memory/learnings/b.md");
  CHECK(path_of("[[memory/learnings/b.md|fact]]") == "memory/learnings/b.md");
  CHECK(path_of("[[memory/learnings/b.md]]") == "memory/learnings/b.md");
  CHECK(tools.client.call("memory_get", {{"id", "memory/learnings/123-none.md"}})["isError"] ==
        true);
  CHECK(contains(tools.failure({{"id", "memory/learnings/123-none.md"}, {"reason", "r"}}),
                 "There is no session or note"));
  const json gone = tools.client.forget("memory/learnings/123-a.md");
  CHECK(gone["structuredContent"]["removed_paths"] == json::array({"memory/learnings/123-a.md"}));
  CHECK_FALSE(tools.has("memory/learnings/123-a.md"));
  CHECK(tools.has("memory/learnings/b.md"));
}

TEST_CASE("A session is meant by whatever names it in an answer, and by a key like a path") {
  Tools tools;
  tools.vault.write(
      "default", "agent:main/x.md", "2026-03-29T10:00:00.000Z", "osprey", "/home/dev/tidewater");
  tools.vault.index();
  const std::string token = token_of("default", "job-1");
  const json found = tools.done("memory_get", {{"id", "daybook://sessions/" + token}});
  CHECK(found["session"]["session_token"] == token);
  const std::string note = found["body"]["path"];
  CHECK(tools.done("memory_get", {{"id", "[[" + note + "|summary]]"}})["body"]["path"] == note);
  const json one = tools.done("memory_forget", {{"id", "[[" + note + "]]"}, {"reason", "r"}});
  CHECK(one["scope"] == "paths");
  CHECK(one["removed_paths"] == json::array({note}));
  CHECK(tools.client.forget("agent:main/x.md")["structuredContent"]["scope"] == "session");
  CHECK(tools.client.forget("daybook://sessions/" + token)["isError"] == false);
  CHECK(files_of(tools, "job-1") == 0);
}

TEST_CASE("What an agent does not see does not go with what it sees, and is not named") {
  Tools tools(Learnings{{"7-of-default.md", ""},
                        {"8-for-people.md", "agent_id: spy\nsensitivity: sensitive\n"},
                        {"other/7-of-spy.md", "agent_id: spy\n"},
                        {"other/8-of-spy.md", "agent_id: spy\n"},
                        {"other/9-of-spy.md", "agent_id: spy\n"}},
              {"--agent", "spy"});
  for (const char* id : {"7", "8", "memory/learnings/other/8-of-spy.md"}) {
    INFO(id);
    const json result = tools.client.forget(id);
    CHECK_FALSE(contains(result.dump(), "of-default"));
    CHECK_FALSE(contains(result.dump(), "for-people"));
  }
  CHECK(tools.has("memory/learnings/7-of-default.md"));
  CHECK(tools.has("memory/learnings/8-for-people.md"));
  CHECK(tools.client.forget("9")["isError"] == false);
  CHECK_FALSE(tools.has("memory/learnings/other/9-of-spy.md"));
}

TEST_CASE("What is forgotten while MEMORY.md cannot follow is said to be shown there still") {
  Tools tools(Learnings{{"5-a.md", ""}});
  const std::string id = GENERATE("5", "job-1");
  CHECK(tools.done("memory_forget", {{"id", id}, {"reason", "r"}})["published"].is_null());
  SECTION("by another device's leave") {
    tools.vault.place().write("vault/daybook.yaml", "publisher: some-other-device\n");
    const json done = tools.client.forget(id);
    CHECK(done["structuredContent"]["published"] == false);
    CHECK(done["structuredContent"]["indexed"] == true);
    CHECK(contains(text_of(done), "may still show it"));
  }
  SECTION("and not when it has followed") {
    const json done = tools.client.forget(id);
    CHECK(done["structuredContent"]["published"] == true);
    CHECK_FALSE(contains(text_of(done), "may still show it"));
  }
}

TEST_CASE(
    "A memory whose forgetting was cut off is told as forgotten when the pass has finished it") {
  Tools tools(Learnings{{"5-a.md", ""}});
  const json look = tools.done("memory_forget", {{"id", "5"}, {"reason", "r"}});
  auto lock = std::make_optional(canon::SessionLock::take(tools.vault.place().at("state/locks"),
                                                          lineage::learning_token("default", 5))
                                     .value());
  const int id = tools.client.post(
      "tools/call",
      {{"name", "memory_forget"},
       {"arguments", {{"id", "5"}, {"reason", "r"}, {"confirm", look["confirm"]}}},
       {"_meta", {{"progressToken", "p"}}}});
  const json step = tools.client.next();  // the pass, since nothing was waited for before
  CHECK(contains(step.dump(), "wiping"));
  lock.reset();
  const json result = tools.client.answer_to(id)["result"];
  INFO(result.dump());
  REQUIRE(result["isError"] == false);
  CHECK(result["structuredContent"]["removed_paths"] == json::array({"memory/learnings/5-a.md"}));
  CHECK(result["structuredContent"]["published"] == true);
  CHECK_FALSE(tools.has("memory/learnings/5-a.md"));
}

TEST_CASE("A memory that is left after a failure is told so, and the next call finishes it") {
  Tools tools(Learnings{{"5-a.md", ""}});
  const json look = tools.done("memory_forget", {{"id", "5"}, {"reason", "r"}});
  const json arguments{{"id", "5"}, {"reason", "r"}, {"confirm", look["confirm"]}};
  const std::string blocked = tools.vault.place().at(
      "state/locks/" + lineage::learning_token("default", 5).to_string() + ".lock");
  fs::create_directories(blocked);
  const std::string told = tools.failure(arguments);
  CHECK(contains(told, "It was begun, and index and MEMORY.md could not follow yet"));
  CHECK(contains(told, "before you call again"));
  CHECK(tools.has("memory/learnings/5-a.md"));
  fs::remove(blocked);
  CHECK(tools.done("memory_forget", arguments)["published"] == true);
  CHECK_FALSE(tools.has("memory/learnings/5-a.md"));
}

TEST_CASE("An agent forgets no note of another that has the same number") {
  Tools tools(Learnings{{"1-style.md", ""}, {"spy/1-tone.md", "agent_id: spy\n"}},
              {"--agent", "spy"});
  const json done = tools.client.forget("1");
  CHECK(done["structuredContent"]["removed_paths"] ==
        json::array({"memory/learnings/spy/1-tone.md"}));
  CHECK(tools.has("memory/learnings/1-style.md"));
}

TEST_CASE("A reason that a tombstone must not keep is refused, also where nothing goes yet") {
  Tools tools(Learnings{{"5-a.md", ""}});
  for (const char* id : {"job-1", "5"}) {
    for (const bool confirms : {false, true}) {
      json arguments{{"id", id}, {"reason", "password is hunter2xx"}};
      if (confirms) {
        arguments["confirm"] =
            tools.done("memory_forget", {{"id", id}, {"reason", "r"}})["confirm"];
      }
      const std::string told = tools.failure(arguments);
      CHECK(contains(told, "reason"));
      CHECK_FALSE(contains(told, "hunter2xx"));
    }
    tools.failure({{"id", id}, {"reason", " \n "}});
  }
  CHECK(files_of(tools, "job-1") == 3);
  CHECK(tools.client.forget("job-1", "asked to\nstatus: x\xE2\x80\xAE")["isError"] == false);
  const json status = tools.done("memory_status");
  CHECK(status["degraded"].empty());
}

}  // namespace daybook::test
