// SPDX-License-Identifier: MIT
#include "daybook/recall/context.hpp"
#include "embedding/embedded_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>

namespace {

using daybook::recall::RecallRequest;
using daybook::recall::WordsOnly;
using daybook::test::EmbeddedVault;

using Keys = std::vector<std::string>;

/// Of cars and of gardens, in words of their own.
void add_sessions(EmbeddedVault& vault) {
  vault.endpoint.mean_the_same({"automobile", "car", "vehicle"});
  vault.add_session("car", "Repaired the automobile before the winter came around.", "Automobile.");
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  vault.add_session("shed", "Painted the shed in a deep and lasting green colour.", "Paint.");
  vault.reindex();
  vault.embed();
}

}  // namespace

TEST_CASE("what is meant in other words is found by its vector") {
  EmbeddedVault vault;
  add_sessions(vault);
  auto request = vault.question("which vehicle?");
  const auto report = vault.recall(request);
  CHECK(report.words_only == WordsOnly::no);
  CHECK(report.words_only_note.empty());
  REQUIRE_FALSE(report.results.empty());
  CHECK(report.results.front().session.session_key == "car");
  CHECK(report.results.front().why.vector_place == 1);
  CHECK(report.results.front().why.vector_score > 0.3);
  CHECK(report.results.front().why.text_place == 0);
  CHECK(report.results.front().score <= 1);
  CHECK_FALSE(report.results.front().snippet.text.empty());

  request.config = nullptr;
  const auto by_words = vault.recall(request);
  CHECK(by_words.words_only == WordsOnly::asked_for);
  CHECK(by_words.results.empty());
}

TEST_CASE("what is first in both lists comes before what is first in one") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto report = vault.recall(vault.question("roses in the garden"));
  REQUIRE_FALSE(report.results.empty());
  CHECK(report.results.front().session.session_key == "rose");
  CHECK(report.results.front().why.text_place == 1);
  CHECK(report.results.front().why.vector_place == 1);
  CHECK(report.results.front().score > 0.9);
}

TEST_CASE("a question without a telling word is asked by its vector") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto report = vault.recall(vault.question("the of the"));
  CHECK_FALSE(report.no_terms);
  CHECK_FALSE(report.results.empty());
}

TEST_CASE("vectors cross neither agents nor filters, and noise stays out") {
  EmbeddedVault vault;
  add_sessions(vault);
  vault.add_session(
      "theirs", "Sold the automobile to a neighbour with many children.", "Sold.", "other");
  vault.add_session("late",
                    "Washed the automobile and polished all of its windows.",
                    "Washed.",
                    "default",
                    "2026-04-05T10:00:00.000Z");
  vault.reindex();
  vault.embed();
  CHECK(vault.counts().embedded == 5);
  RecallRequest request = vault.question("vehicle");
  request.top_k = 10;
  Keys found = vault.keys(vault.recall(request));
  std::sort(found.begin(), found.end());
  CHECK(found == Keys{"car", "late", "rose", "shed"});
  request.agent = "other";
  CHECK(vault.keys(vault.recall(request)) == Keys{"theirs"});
  request.agent = "nobody";
  CHECK(vault.recall(request).results.empty());
  request.agent = "default";
  request.since = daybook::lineage::parse_timestamp("2026-04-01T00:00:00.000Z");
  CHECK(vault.keys(vault.recall(request)) == Keys{"late"});
  request.since.reset();
  request.kinds = {daybook::lineage::Kind::transcript};
  CHECK(vault.recall(request).results.empty());
  request.kinds.clear();
  request.project = "/no/such/project";
  CHECK(vault.recall(request).results.empty());
  request.project.clear();
  vault.config.noise = {"*"};
  CHECK(vault.recall(request).results.empty());
  request.noise = daybook::recall::Noise::included;
  CHECK(vault.recall(request).results.size() == 4);
}

TEST_CASE("a file that changed since it was indexed is no answer by its vector either") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto before = vault.recall(vault.question("vehicle"));
  REQUIRE_FALSE(before.results.empty());
  const std::string path = before.results.front().note.path();
  vault.write(path, vault.read(path) + "More.\n");
  const auto after = vault.recall(vault.question("vehicle"));
  CHECK(after.changed == Keys{path});
  CHECK(after.known_stale());
  vault.reindex();  // it is sealed: its text reaches nobody now
  CHECK(vault.counts().embedded == 2);
  for (const auto& result : vault.recall(vault.question("vehicle")).results) {
    CHECK(result.session.session_key != "car");
  }
}

TEST_CASE("an endpoint that refuses makes recall go by words, and say why") {
  EmbeddedVault vault;
  add_sessions(vault);
  vault.endpoint.set_status("503 Busy");
  const auto report = vault.recall(vault.question("roses"));
  CHECK(report.words_only == WordsOnly::endpoint);
  CHECK_THAT(report.words_only_note,
             Catch::Contains("words alone") && Catch::Contains("status 503"));
  CHECK(vault.keys(report) == Keys{"rose"});
}

TEST_CASE("a setting that is wrong makes recall go by words, and is told as one") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto sent = vault.endpoint.requests().size();
  SECTION("a key that is not there") {
    vault.config.embeddings.api_key_env = "DAYBOOK_TEST_NO_SUCH_KEY";
    const auto report = vault.recall(vault.question("roses"));
    CHECK(report.words_only == WordsOnly::settings);
    CHECK_THAT(report.words_only_note, Catch::Contains("DAYBOOK_TEST_NO_SUCH_KEY is not set"));
  }
  SECTION("a list of texts to redact that is not there") {
    vault.config.capture.literals_file = vault.at("literals.txt");
    const auto report = vault.recall(vault.question("roses"));
    CHECK(report.words_only == WordsOnly::settings);
    CHECK_THAT(report.words_only_note,
               Catch::Contains("nothing is sent to the embedding model") &&
                   !Catch::Contains("nothing is captured"));
    const auto refused = vault.try_embed();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == daybook::ErrorKind::usage);
  }
  CHECK(vault.endpoint.requests().size() == sent);
  CHECK(to_string(WordsOnly::settings) == "settings");
}

TEST_CASE("before anything is embedded no question is sent") {
  EmbeddedVault vault;
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  vault.reindex();
  const auto report = vault.recall(vault.question("roses"));
  CHECK(report.words_only == WordsOnly::no_vectors);
  CHECK(vault.endpoint.requests().empty());
  CHECK(vault.keys(report) == Keys{"rose"});
}

TEST_CASE("a question that nobody waits for any more is not sent") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto sent = vault.endpoint.requests().size();
  const std::atomic<bool> cancelled{true};
  auto request = vault.question("which vehicle?");
  request.cancelled = &cancelled;
  CHECK(vault.recall(request).words_only == WordsOnly::endpoint);
  daybook::recall::ContextRequest about{request.agent, request.query, {}, {}, {}, request.now};
  about.cancelled = &cancelled;
  const auto context = daybook::recall::make_context(
      daybook::base::real_disk(), vault.folder(), vault.config, {}, about);
  REQUIRE(context);
  CHECK(context->words_only == WordsOnly::endpoint);
  CHECK(vault.endpoint.requests().size() == sent);
}

TEST_CASE("an endpoint that keeps a question waiting is told with what helps") {
  EmbeddedVault vault;
  add_sessions(vault);
  vault.endpoint.hang_after(0);
  vault.config.embeddings.timeout_seconds = 600;
  const auto report = vault.recall(vault.question("roses in the garden"));
  CHECK(report.words_only == WordsOnly::endpoint);
  CHECK(report.words_only_note.find("choose a faster model") != std::string::npos);
  // A question does not wait as long as this allows in any case.
  CHECK(report.words_only_note.find("timeout_seconds") == std::string::npos);
  CHECK(vault.keys(report).front() == "rose");
}
