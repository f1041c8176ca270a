// SPDX-License-Identifier: MIT
//
// With an embedding model the tools answer by vectors as well, say so, and can leave them out.
#include "cli/memory_vault.hpp"
#include "mcp/memory_client.hpp"
#include "support/made_embeddings.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::test {
namespace {

using nlohmann::json;

json done(MemoryClient& client, const std::string& tool, const json& arguments) {
  const json result = client.call(tool, arguments);
  INFO(result.dump());
  REQUIRE(result["isError"] == false);
  return result["structuredContent"];
}

}  // namespace

TEST_CASE("recall and memory_context ask by vectors, say so, and leave them out when told to") {
  support::MadeEmbeddings endpoint;
  endpoint.mean_the_same({"heron", "stork"});
  endpoint.mean_the_same({"pumps", "engines"});
  const MemoryVault vault;
  vault.place().write("vault/daybook.yaml", endpoint.section());
  vault.place().make_folder("vault/memory/learnings");
  vault.place().write("vault/memory/learnings/7-pumps.md",
                      "---\nkind: learning\nlearning_kind: fact\n---\nThe pumps are greased.\n");
  vault.index();
  MemoryClient client(vault.place().path().string(), {}, "2026-03-30T00:00:00Z");
  client.open();

  const json found = done(client, "recall", {{"query", "stork"}});
  CHECK(found["mode"] == "hybrid");
  CHECK(found["mode_reason"].is_null());
  const json& session = found["results"][0];
  CHECK(session["session_key"] == "key-1");
  CHECK(session["why"]["vector_place"] == 1);
  CHECK(session["why"]["vector_score"] > 0.1);
  CHECK(session["membership_ts"] == "2026-03-28T22:34:06.792Z");

  const json learned =
      done(client, "recall", {{"query", "engines"}, {"memory_types", {"semantic"}}})["results"][0];
  CHECK(learned["learning_id"] == 7);
  CHECK(learned["session_token"].is_null());
  CHECK(learned["kind"] == "learning");
  CHECK(learned["learning_kind"] == "fact");
  CHECK(learned.contains("membership_ts"));
  CHECK(learned["why"]["vector_place"] == 1);

  CHECK(done(client, "memory_context", {{"query", "stork"}})["mode"] == "hybrid");
  CHECK(done(client, "memory_context", json::object())["mode"].is_null());

  const auto sent = endpoint.requests().size();
  const json lexical = done(client, "recall", {{"query", "stork"}, {"lexical", true}});
  CHECK(lexical["mode"] == "lexical");
  CHECK(lexical["mode_reason"] == "asked-for");
  CHECK(lexical["results"].empty());
  CHECK(done(client, "memory_context", {{"query", "stork"}, {"lexical", true}})["mode_reason"] ==
        "asked-for");
  CHECK(endpoint.requests().size() == sent);

  endpoint.set_status("500 Trouble");
  const json answer = client.call("recall", {{"query", "heron"}});
  CHECK(answer["structuredContent"]["mode_reason"] == "endpoint");
  CHECK(contains(answer.dump(), "recall goes by words alone"));
  const json context = client.call("memory_context", {{"query", "heron"}});
  CHECK(context["structuredContent"]["mode_reason"] == "endpoint");
  CHECK(contains(text_of(context), "\n\nrecall goes by words alone: "));
  CHECK_FALSE(contains(context["structuredContent"]["context"], "words alone"));
  CHECK_FALSE(
      contains(text_of(client.call("memory_context", {{"query", "heron"}, {"lexical", true}})),
               "words alone"));
}

}  // namespace daybook::test
