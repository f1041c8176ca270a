// SPDX-License-Identifier: MIT
//
// Two agents' servers over one vault, one of them read-only: no write passes, no memory crosses.
#include "cli/memory_vault.hpp"
#include "mcp/memory_client.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <sys/stat.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kNow = "2026-03-30T00:00:00Z";

/// Every file of vault and state: bytes, mode and time. Not what SQLite keeps beside an open
/// database.
std::map<std::string, std::string> snapshot_of(const support::TempFolder& place) {
  std::map<std::string, std::string> files;
  for (const char* folder : {"vault", "state"}) {
    for (const auto& entry : fs::recursive_directory_iterator(place.at(folder))) {
      const std::string path = entry.path().string();
      struct stat status {};
      if (path.ends_with("-wal") || path.ends_with("-shm") || ::lstat(path.c_str(), &status) != 0) {
        continue;
      }
      std::string facts = std::to_string(status.st_mode) + " " + std::to_string(status.st_ino);
      if (S_ISREG(status.st_mode)) {
        facts += " " + std::to_string(status.st_mtim.tv_sec) + "." +
                 std::to_string(status.st_mtim.tv_nsec) + " " +
                 place.read(fs::relative(entry.path(), place.path()).string());
      }
      files[path] = facts;
    }
  }
  return files;
}

/// Every tool, with arguments that fit.
const std::vector<std::pair<std::string, json>>& calls() {
  static const std::vector<std::pair<std::string, json>> all{
      {"recall", {{"query", "heron walrus"}, {"check_fresh", true}, {"all", true}}},
      {"memory_search", {{"query", "river"}, {"check_fresh", true}}},
      {"memory_context", {{"query", "heron"}, {"session", "key-1"}}},
      {"memory_get", {{"id", "key-1"}}},
      {"memory_forget", {{"id", "key-1"}, {"reason", "x"}, {"confirm", "none"}}},
      {"remember", {{"content", "The pumps of tidewater are greased on Mondays."}}},
      {"learn_procedure", {{"content", "To grease a pump: stop it, open it, grease it."}}},
      {"record_episode", {{"content", "The pump was greased on a Tuesday, and broke."}}},
      {"list_memories", json::object()},
      {"memory_status", json::object()}};
  return all;
}

}  // namespace

TEST_CASE("A read-only server lists no tool that writes, refuses it, and changes no file at all") {
  MemoryVault vault;
  vault.index();
  const auto before = snapshot_of(vault.place());
  MemoryClient client(vault.place().path().string(), {"--read-only"}, kNow);
  client.open();
  const json listed = client.ask("tools/list")["result"]["tools"];
  for (const json& tool : listed) {
    CHECK(tool["annotations"]["readOnlyHint"] == true);
    for (const char* writing : {"memory_forget", "remember", "learn_procedure", "record_episode"}) {
      CHECK(tool["name"] != writing);
    }
  }
  for (const auto& [tool, arguments] : calls()) {
    INFO(tool);
    const json result = client.call(tool, arguments);
    const bool writes = result["isError"] == true;
    CHECK(writes == (tool == "memory_forget" || tool == "remember" || tool == "learn_procedure" ||
                     tool == "record_episode"));
    if (writes) {
      CHECK(contains(text_of(result), "read-only"));
    }
  }
  for (const char* dry : {"key-1", "nobody"}) {
    CHECK(client.call("memory_forget", {{"id", dry}, {"reason", "x"}})["isError"] == true);
  }
  const json resources = client.ask("resources/list");
  for (const json& one : resources.at("result").at("resources")) {
    CHECK(client.ask("resources/read", {{"uri", one["uri"]}}).contains("result"));
  }
  CHECK(client.call("memory_context")["structuredContent"]["preview"] == true);
  CHECK(client.end() == 0);
  const auto after = snapshot_of(vault.place());
  for (const auto& [path, facts] : after) {
    INFO(path);
    const auto found = before.find(path);
    REQUIRE(found != before.end());
    CHECK(found->second == facts);
  }
  CHECK(after.size() == before.size());
}

TEST_CASE("Two agents' servers at once: no memory crosses, by whatever name it is asked for") {
  MemoryVault vault;
  vault.index();
  const std::string place = vault.place().path().string();
  MemoryClient own(place, {}, kNow);
  MemoryClient other(place, {"--agent", "other", "--read-only"}, kNow);
  own.open();
  other.open();
  struct Side {
    MemoryClient& client;
    std::string own_word;
    std::string foreign_word;
    std::string foreign_token;
    std::string foreign_id;
  };
  for (const Side& side :
       {Side{own, "heron", "walrus", token_of("other", "key-1"), "run-other-key-1"},
        Side{other, "walrus", "heron", token_of("default", "key-1"), "run-default-key-1"}}) {
    std::string all;
    const auto note = [&all](const json& answer) {
      all += answer.dump();
      return answer;
    };
    const json found = note(side.client.call("recall", {{"query", "heron walrus"}}));
    CHECK(contains(found.dump(), side.own_word));
    for (const auto& [tool, arguments] : calls()) {
      if (tool.starts_with("memory_") && tool != "memory_forget") {
        note(side.client.call(tool, arguments));
      }
    }
    const std::string file = [&] {  // a note of the other agent, by its path
      for (const auto& entry : fs::directory_iterator(vault.place().at("vault/memory"))) {
        const std::string name = entry.path().filename().string();
        if (contains(name, side.foreign_token) && contains(name, "--summary")) {
          return "memory/" + name;
        }
      }
      return std::string();
    }();
    REQUIRE_FALSE(file.empty());
    for (const std::string& id : {side.foreign_token, side.foreign_id, file}) {
      INFO(id);
      const json got = side.client.call("memory_get", {{"id", id}});
      CHECK(got["isError"] == true);
      CHECK(contains(text_of(got), "There is no session or note"));
      const json forgotten =
          side.client.call("memory_forget", {{"id", id}, {"reason", "x"}, {"confirm", "none"}});
      CHECK(forgotten["isError"] == true);
    }
    for (const char* part : {"", "/transcript", "/manifest"}) {
      const json read = side.client.ask(
          "resources/read", {{"uri", "daybook://sessions/" + side.foreign_token + part}});
      CHECK(read["error"]["code"] == -32002);
    }
    const json listed = note(side.client.ask("resources/list"));
    for (const json& one : listed.at("result").at("resources")) {
      note(side.client.ask("resources/read", {{"uri", one["uri"]}}));
    }
    note(
        side.client.ask("completion/complete",
                        {{"ref", {{"type", "ref/resource"}, {"uri", "daybook://sessions/{token}"}}},
                         {"argument", {{"name", "token"}, {"value", ""}}}}));
    CHECK_FALSE(contains(all, side.foreign_token));
    // The word stands in the question that is given back, and nowhere else.
    std::string without = all;
    for (std::size_t at = without.find("heron walrus"); at != std::string::npos;
         at = without.find("heron walrus")) {
      without.erase(at, 12);
    }
    if (side.foreign_word == "walrus") {
      CHECK_FALSE(contains(without, "walrus"));
    }
  }
  CHECK(fs::exists(vault.place().at("vault/MEMORY.md")));
  CHECK(own.end() == 0);
  CHECK(other.end() == 0);
}

TEST_CASE("Two servers that forget at the same time lose nothing and leave nothing half done") {
  MemoryVault vault;
  vault.index();
  const std::string place = vault.place().path().string();
  MemoryClient one(place, {}, kNow);
  MemoryClient two(place, {}, kNow);
  one.open();
  two.open();
  const auto code = [](MemoryClient& client, const char* key) {
    return MemoryClient::code_in(client.call("memory_forget", {{"id", key}, {"reason", "x"}}));
  };
  const auto post = [](MemoryClient& client, const char* key, const std::string& confirm) {
    return client.post("tools/call",
                       {{"name", "memory_forget"},
                        {"arguments", {{"id", key}, {"reason", "x"}, {"confirm", confirm}}}});
  };
  const std::string of_one = code(one, "key-1");
  const std::string of_two = code(two, "old");
  const int first = post(one, "key-1", of_one);
  const int second = post(two, "old", of_two);
  CHECK(one.answer_to(first)["result"]["isError"] == false);
  CHECK(two.answer_to(second)["result"]["isError"] == false);
  const json status = one.call("memory_status")["structuredContent"];
  CHECK(status["sessions"] == 2);
  CHECK(status["fresh"] == true);
  CHECK(status["degraded"].empty());
  CHECK(one.end() == 0);
  CHECK(two.end() == 0);
}

}  // namespace daybook::test
