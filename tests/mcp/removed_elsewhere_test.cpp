// SPDX-License-Identifier: MIT
//
// What another device has removed, and of which only the tombstone has come yet: no tool, resource
// or completion tells it, although index and files still have it.
#include "cli/memory_vault.hpp"
#include "mcp/memory_client.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::test {
namespace {

using nlohmann::json;
using support::SessionFiles;

constexpr const char* kNow = "2026-03-30T00:00:00Z";
constexpr const char* kSentence = "Watched the animal key-1 of default";

/// `key-1` as it is in the vault, with a tombstone beside it.
SessionFiles removed(const MemoryVault& vault) {
  SessionFiles files =
      vault.session("default", "key-1", "2026-03-28T22:34:06.792Z", "heron", "/home/dev/tidewater");
  files.tombstone.present = true;
  return files;
}

class Server {
 public:
  Server() : client(indexed(vault), {}, kNow) { client.open(); }

  std::string get(const std::string& id, const json& more = json::object()) {
    json arguments{{"id", id}};
    arguments.update(more);
    return client.call("memory_get", arguments).dump();
  }
  json read(const std::string& uri) { return client.ask("resources/read", {{"uri", uri}}); }
  std::string listed() { return client.ask("resources/list").dump(); }
  std::string completed(const std::string& beginning) {
    return client
        .ask("completion/complete",
             {{"ref", {{"type", "ref/resource"}, {"uri", "daybook://sessions/{token}"}}},
              {"argument", {{"name", "token"}, {"value", beginning}}}})["result"]["completion"]
        .dump();
  }

  MemoryVault vault;
  MemoryClient client;

 private:
  static std::string indexed(const MemoryVault& vault) {
    vault.index();
    return vault.place().path().string();
  }
};

}  // namespace

TEST_CASE("A session whose tombstone has only come is told by no tool, resource or completion") {
  Server server;
  const SessionFiles files = removed(server.vault);
  const std::string uri = "daybook://sessions/" + files.token();
  REQUIRE(contains(server.get("key-1"), kSentence));
  REQUIRE(contains(server.listed(), kSentence));
  REQUIRE(contains(server.completed(files.token()), files.token()));
  files.write(server.vault.place(), "vault");
  for (const std::string& id :
       {std::string("key-1"), files.token(), uri, files.transcript.path(), files.summary.path()}) {
    INFO(id);
    const std::string told = server.get(id);
    CHECK(contains(told, "was removed"));
    CHECK_FALSE(contains(told, kSentence));
  }
  for (const char* kind : {"", "/transcript", "/manifest"}) {
    CHECK(server.read(uri + kind)["error"]["code"] == -32002);
  }
  CHECK_FALSE(contains(server.listed(), files.token()));
  CHECK(contains(server.listed(), token_of("default", "old")));
  CHECK(server.completed(files.token()) == R"({"hasMore":false,"total":0,"values":[]})");
  CHECK(contains(server.client.call("memory_forget", {{"id", "key-1"}, {"reason", "x"}}).dump(),
                 "was removed"));
}

TEST_CASE("Of a session that stays, the note whose tombstone has only come is told nowhere") {
  Server server;
  SessionFiles files = removed(server.vault);
  files.tombstone.fields.set_text("scope", "paths");
  files.tombstone.fields.set_list("removed_paths", {files.summary.path()});
  const std::string uri = "daybook://sessions/" + files.token();
  REQUIRE(contains(server.get("key-1", {{"kind", "summary"}}), "About the heron"));
  files.write(server.vault.place(), "vault");

  const std::string told = server.get("key-1");
  CHECK(contains(told, files.transcript.path()));
  CHECK_FALSE(contains(told, files.summary.path()));
  CHECK_FALSE(contains(told, kSentence));
  CHECK(contains(server.get("key-1", {{"kind", "summary"}}), "has no summary"));
  CHECK(contains(server.get(files.summary.path()), "is no session or note"));
  CHECK(server.read(uri)["error"]["code"] == -32002);
  CHECK(contains(server.read(uri + "/transcript").dump(), "importer drops readings"));
  CHECK_FALSE(contains(server.listed(), kSentence));
  CHECK(contains(server.listed(), uri + "/transcript"));
  CHECK(contains(server.completed(files.token()), files.token()));
}

TEST_CASE("A session whose notes were all removed one by one is completed and listed no more") {
  Server server;
  SessionFiles files = removed(server.vault);
  files.tombstone.fields.set_text("scope", "paths");
  files.tombstone.fields.set_list(
      "removed_paths", {files.summary.path(), files.transcript.path(), files.manifest.path()});
  REQUIRE(contains(server.completed(files.token()), files.token()));
  files.write(server.vault.place(), "vault");
  CHECK(server.completed(files.token()) == R"({"hasMore":false,"total":0,"values":[]})");
  CHECK_FALSE(contains(server.listed(), files.token()));
}

}  // namespace daybook::test
