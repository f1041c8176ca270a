// SPDX-License-Identifier: MIT
//
// Embeddings as people meet them: reindex, recall, status and the service, with an endpoint that
// knows nothing but words. What is embedded and found is tested in tests/embedding.
#include "cli/memory_vault.hpp"
#include "cli/served_vault.hpp"
#include "support/eventually.hpp"
#include "support/made_embeddings.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <set>
#include <string>

namespace daybook::test {
namespace {

using support::eventually;
using support::MadeEmbeddings;

void configure(const MemoryVault& vault,
               const MadeEmbeddings& endpoint,
               const std::string& more = {}) {
  vault.place().write("vault/daybook.yaml", endpoint.section(more));
}

}  // namespace

TEST_CASE("reindex embeds, status tells, and recall answers by vectors as well") {
  const MadeEmbeddings endpoint;
  const MemoryVault vault;
  configure(vault, endpoint);
  const auto indexed = vault.run({"reindex"});
  CHECK(indexed.exit_code == 0);
  CHECK(contains(indexed.out, "Embedded 5 notes.\n"));
  CHECK(vault.json({"reindex"}).at("embeddings") ==
        nlohmann::json{{"embedded", 0}, {"left_out", 0}, {"error", nullptr}});

  const auto status = vault.json({"status"}).at("embeddings");
  CHECK(status.at("configured") == true);
  CHECK(status.at("identity") == status.at("recorded"));
  CHECK(status.at("identity").get<std::string>().starts_with("openai:made:"));
  CHECK(status.at("dimensions") == 1024);
  CHECK(status.at("embedded") == 5);
  CHECK(status.at("pending") == 0);
  CHECK(status.at("backend") == "exact");
  CHECK(status.at("last_error").is_null());
  CHECK(contains(vault.run({"status"}).out, "1,024 dimensions: 5 notes, 0 to come"));
  CHECK(contains(vault.run({"doctor"}).out, "5 notes are embedded"));

  const auto answer = vault.json({"recall", "where was the heron seen?"});
  CHECK(answer.at("mode") == "hybrid");
  CHECK(answer.at("mode_reason").is_null());
  CHECK(answer.at("results").at(0).at("why").at("vector_place") == 1);
  CHECK(answer.at("results").at(0).at("why").at("vector_score") > 0.1);
  const auto sent = endpoint.requests().size();
  const auto lexical = vault.json({"recall", "where was the heron seen?", "--lexical"});
  CHECK(lexical.at("mode") == "lexical");
  CHECK(lexical.at("mode_reason") == "asked-for");
  const auto context = vault.json({"context", "--query", "heron", "--lexical"});
  CHECK(context.at("mode") == "lexical");
  CHECK(context.at("mode_reason") == "asked-for");
  CHECK(endpoint.requests().size() == sent);
  CHECK(vault.json({"context", "--query", "heron"}).at("mode") == "hybrid");
}

TEST_CASE("without an endpoint recall is lexical, and says so") {
  const MemoryVault vault;
  vault.index();
  const auto answer = vault.json({"recall", "where was the heron seen?"});
  CHECK(answer.at("mode") == "lexical");
  CHECK(answer.at("mode_reason") == "not-configured");
  CHECK_FALSE(contains(vault.run({"context", "--query", "heron"}).err, "words alone"));
  CHECK(vault.json({"status"}).at("embeddings").at("configured") == false);
  CHECK(vault.json({"reindex"}).at("embeddings").is_null());
}

TEST_CASE("an endpoint that is down is told and fails neither reindex nor recall") {
  MadeEmbeddings endpoint;
  const MemoryVault vault;
  configure(vault, endpoint);
  endpoint.set_status("403 Forbidden");
  const auto indexed = vault.run({"reindex"});
  CHECK(indexed.exit_code == 0);
  CHECK(contains(indexed.err, "nothing more was embedded: the embedding model made at "));
  CHECK(contains(indexed.err, "status 403"));
  CHECK(contains(vault.json({"status"}).at("embeddings").at("last_error").get<std::string>(),
                 "status 403"));
  CHECK(contains(vault.run({"doctor"}).out, "status 403"));
  const auto found = vault.run({"recall", "heron"});
  CHECK(found.exit_code == 0);
  CHECK(contains(found.err, "recall goes by words alone: nothing is embedded yet"));
  endpoint.set_status("200 OK");
  CHECK(contains(vault.run({"reindex"}).out, "Embedded 5 notes.\n"));
  CHECK(vault.json({"status"}).at("embeddings").at("last_error").is_null());
}

TEST_CASE("another model is an error of reindex that names both and the remedy") {
  const MadeEmbeddings endpoint;
  const MemoryVault vault;
  configure(vault, endpoint);
  vault.index();
  vault.place().write("vault/daybook.yaml",
                      "embeddings:\n  base_url: " + endpoint.base_url() + "\n  model: other\n");
  vault.write("default", "new", "2026-03-29T10:00:00.000Z", "otter", "/home/dev/tidewater");
  const auto refused = vault.run({"reindex"});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "are of openai:made:"));
  CHECK(contains(refused.err, "the embedding model is openai:other:"));
  CHECK(contains(refused.err, "daybook reindex --reembed"));
  const auto status = vault.json({"status"});
  CHECK(status.at("degraded") == nlohmann::json::array({"embedding-model-changed"}));
  CHECK(vault.json({"recall", "otter"}).at("mode_reason") == "other-model");
  const auto context = vault.run({"context", "--query", "otter"});
  CHECK(context.exit_code == 0);
  CHECK(contains(context.err,
                 "recall goes by words alone: the vectors in the index are of openai:made:"));
  CHECK_FALSE(contains(context.out, "words alone"));
  const auto anew = vault.run({"reindex", "--reembed"});
  CHECK(anew.exit_code == 0);
  CHECK(contains(anew.out, "Embedded 6 notes.\n"));
  CHECK(vault.json({"recall", "otter"}).at("mode") == "hybrid");
}

TEST_CASE("a list of texts to redact that is not there is a wrong setting of reindex and recall") {
  const MadeEmbeddings endpoint;
  const MemoryVault vault;
  configure(vault, endpoint);
  vault.index();
  configure(vault, endpoint, "capture:\n  literals_file: /no/such/list\n");
  const std::size_t sent = endpoint.requests().size();
  const auto refused = vault.run({"reindex"});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "nothing is sent to the embedding model without the list"));
  CHECK(vault.json({"recall", "heron"}).at("mode_reason") == "settings");
  CHECK(endpoint.requests().size() == sent);
}

TEST_CASE("reindex leaves vectors alone when it is told to") {
  const MadeEmbeddings endpoint;
  const MemoryVault vault;
  configure(vault, endpoint);
  CHECK(vault.run({"reindex", "--no-embeddings"}).exit_code == 0);
  CHECK(endpoint.requests().empty());
  CHECK(vault.json({"status"}).at("embeddings").at("pending") == 5);
}

TEST_CASE("what was embedded before a kill is not sent again") {
  MadeEmbeddings endpoint;
  const MemoryVault vault;
  configure(vault, endpoint, "  batch: 2\n");
  REQUIRE(vault.run({"reindex", "--no-embeddings"}).exit_code == 0);
  endpoint.hang_after(3);  // two notes of two passages each are put; the third request is answered
  auto program = vault.program({"reindex"});
  program.meanwhile = [&endpoint](pid_t pid) {
    CHECK(eventually([&endpoint] { return endpoint.requests().size() >= 4; }));
    ::kill(pid, SIGKILL);
  };
  CHECK(support::run(program).signal == SIGKILL);
  const auto done = vault.json({"status"}).at("embeddings").at("embedded").get<std::size_t>();
  CHECK(done == 2);
  endpoint.answer_again();
  const std::size_t before = endpoint.texts().size();
  CHECK(contains(vault.run({"reindex"}).out, "Embedded 3 notes.\n"));
  CHECK(endpoint.texts().size() == before + 6);
}

TEST_CASE("watch embeds by itself, and an endpoint that hangs holds up neither rows nor the end") {
  MadeEmbeddings endpoint;
  const ServedVault vault;
  vault.place().write("vault/daybook.yaml",
                      "watch:\n  settle_ms: 40\n  longest_ms: 400\n" +
                          endpoint.section("  timeout_seconds: 600\n"));
  vault.add(served_session(1));
  const auto embedded = [&vault] {
    return vault.status()["embeddings"].value("embedded", std::size_t{0});
  };
  const auto outcome = vault.serve([&](pid_t pid) {
    CHECK(eventually([&] { return embedded() == 1; }));
    vault.add(served_session(2));
    CHECK(eventually([&] { return embedded() == 2; }));
    endpoint.hang_after(0);
    const std::size_t asked = endpoint.requests().size();
    vault.add(served_session(3));
    CHECK(eventually([&] { return endpoint.requests().size() > asked; }));
    vault.add(served_session(4));
    CHECK(eventually([&] { return vault.shows("session=key-4 "); }));
    // Two at it would pay twice.
    CHECK(vault.ask({"reindex"}).exit_code == 0);
    CHECK(endpoint.requests().size() == asked + 1);
    ::kill(pid, SIGTERM);
  });
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "stopped"));
  CHECK(embedded() == 2);
}

TEST_CASE("vectors that are dropped beside a service are made by it, and each text is sent once") {
  MadeEmbeddings endpoint;
  const ServedVault vault;
  vault.place().write("vault/daybook.yaml",
                      "watch:\n  settle_ms: 40\n  longest_ms: 400\n" + endpoint.section());
  for (int i = 1; i <= 3; ++i) {
    vault.add(served_session(i));
  }
  const auto embedded = [&vault] {
    return vault.status()["embeddings"].value("embedded", std::size_t{0});
  };
  const auto outcome = vault.serve([&](pid_t pid) {
    CHECK(eventually([&] { return embedded() == 3; }));
    const std::size_t once = endpoint.texts().size();
    const auto anew = vault.ask({"reindex", "--reembed"});
    CHECK(anew.exit_code == 0);
    CHECK(contains(anew.err, "the running service makes them anew"));
    CHECK(eventually([&] { return endpoint.texts().size() > once + 1 && embedded() == 3; }));
    CHECK(endpoint.texts().size() == 2 * once + 1);  // and one that asks whether it is there
    ::kill(pid, SIGTERM);
  });
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("other dimensions are told by reindex though nothing is to be embedded") {
  MadeEmbeddings endpoint(64);
  const MemoryVault vault;
  configure(vault, endpoint);
  vault.index();
  endpoint.set_dimensions(32);
  const auto refused = vault.run({"reindex"});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "64 dimensions"));
  CHECK(contains(refused.err, "32 dimensions"));
  CHECK(contains(refused.err, "daybook reindex --reembed"));
  // That nobody answers is no news where nothing is to be sent.
  endpoint.set_status("403 Forbidden");
  const auto silent = vault.run({"reindex"});
  CHECK(silent.exit_code == 0);
  CHECK(silent.err.empty());
}

TEST_CASE("a service tries an endpoint again that was down") {
  MadeEmbeddings endpoint;
  const ServedVault vault;
  vault.place().write("vault/daybook.yaml", endpoint.section());
  endpoint.set_status("403 Forbidden");
  vault.add(served_session(1));
  const auto outcome = vault.serve([&](pid_t pid) {
    CHECK(eventually([&] { return endpoint.requests().size() >= 2; }));
    endpoint.set_status("200 OK");
    CHECK(eventually([&] { return vault.status()["embeddings"]["embedded"] == 1; }));
    ::kill(pid, SIGTERM);
  });
  const auto told = [&outcome](const std::string& words) {
    std::size_t times = 0;
    for (std::size_t at = outcome.err.find(words); at != std::string::npos;
         at = outcome.err.find(words, at + 1)) {
      ++times;
    }
    return times;
  };
  CHECK(told("status 403") == 1);
}

}  // namespace daybook::test
