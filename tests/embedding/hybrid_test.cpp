// SPDX-License-Identifier: MIT
#include "daybook/recall/context.hpp"
#include "embedding/embedded_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>

namespace {

using daybook::recall::ModeReason;
using daybook::recall::RecallRequest;
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
  CHECK(report.mode_reason == ModeReason::none);
  CHECK(report.mode_note.empty());
  REQUIRE_FALSE(report.results.empty());
  CHECK(report.results.front().session.session_key == "car");
  CHECK(report.results.front().why.vector_place == 1);
  CHECK(report.results.front().why.vector_score > 0.3);
  CHECK(report.results.front().why.text_place == 0);
  CHECK(report.results.front().score <= 1);
  CHECK_FALSE(report.results.front().snippet.text.empty());

  request.config = nullptr;
  const auto by_words = vault.recall(request);
  CHECK(by_words.mode_reason == ModeReason::asked_for);
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

TEST_CASE("a question without a telling word is sent to nobody, and has no answer") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto sent = vault.endpoint.requests().size();
  for (const std::string asked : {"", "the of the", " ?! "}) {
    const auto report = vault.recall(vault.question(asked));
    CHECK(report.no_terms);
    CHECK(report.results.empty());
    CHECK_FALSE(report.mode_reason);
  }
  daybook::recall::ContextRequest about;
  about.agent = "default";
  about.query = "what was it?";
  about.now = vault.question("").now;
  const auto context = daybook::recall::make_context(
      {daybook::base::real_disk(), vault.folder(), vault.config, {}}, about);
  REQUIRE(context);
  CHECK(context->prompt.kept.size() == 3);  // the latest
  CHECK(vault.endpoint.requests().size() == sent);
}

TEST_CASE("a question about nothing that is there has no answer, with vectors, too") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto report = vault.recall(vault.question("quantum chromodynamics"));
  CHECK(report.mode_reason == ModeReason::none);
  CHECK(report.results.empty());
}

TEST_CASE("vectors that were made anew since the question got its own are not compared with it") {
  EmbeddedVault vault;
  add_sessions(vault);
  const auto request = vault.question("roses in the garden");
  const auto prepared =
      daybook::recall::prepare_question(daybook::base::real_disk(), vault.folder(), request);
  REQUIRE(prepared);
  REQUIRE_FALSE(prepared->vector.empty());
  vault.endpoint.set_dimensions(64);
  vault.embed(daybook::service::Reembed::everything);
  auto index = daybook::recall::OpenIndex::open(vault.folder());
  REQUIRE(index);
  const auto report = daybook::recall::recall(
      daybook::base::real_disk(), vault.folder(), {}, request, *prepared, *index);
  REQUIRE(report);
  CHECK(report->mode_reason == ModeReason::other_model);
  CHECK(vault.keys(*report) == Keys{"rose"});
}

TEST_CASE("a secret across the end of what is sent of a question goes before it is cut") {
  EmbeddedVault vault;
  add_sessions(vault);
  const std::string token = "ghp_" + std::string(36, 'A');
  daybook::recall::ContextRequest about;
  about.agent = "default";
  about.now = vault.question("").now;
  for (std::size_t behind = 4050; behind <= 4100; behind += 7) {
    about.query = "roses ";
    while (about.query.size() < behind) {
      about.query += "x ";
    }
    about.query += token + " and more";
    REQUIRE(daybook::recall::make_context(
        {daybook::base::real_disk(), vault.folder(), vault.config, {}}, about));
    const std::string sent = vault.endpoint.texts().back();
    CHECK(sent.starts_with("roses"));
    CHECK(sent.size() <= 4096);
    CHECK_FALSE(sent.ends_with("\n"));
    CHECK(sent.find("ghp_") == std::string::npos);
  }
}

TEST_CASE("vectors cross neither agents nor filters, and noise stays out") {
  EmbeddedVault vault;
  add_sessions(vault);
  vault.add_session(
      "theirs", "Sold the automobile to a neighbour with many children.", "Automobile.", "other");
  vault.add_session("late",
                    "Washed the automobile and polished all of its windows.",
                    "Automobile.",
                    "default",
                    "2026-04-05T10:00:00.000Z");
  vault.reindex();
  vault.embed();
  CHECK(vault.counts().embedded == 5);
  RecallRequest request = vault.question("vehicle");
  request.top_k = 10;
  Keys found = vault.keys(vault.recall(request));
  std::sort(found.begin(), found.end());
  CHECK(found == Keys{"car", "late"});
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
  CHECK(vault.recall(request).results.size() == 2);
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
  CHECK(report.mode_reason == ModeReason::endpoint);
  CHECK_THAT(report.mode_note, Catch::Contains("words alone") && Catch::Contains("status 503"));
  CHECK(vault.keys(report) == Keys{"rose"});
}

TEST_CASE("before anything is embedded no question is sent") {
  EmbeddedVault vault;
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  vault.reindex();
  const auto report = vault.recall(vault.question("roses"));
  CHECK(report.mode_reason == ModeReason::no_vectors);
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
  CHECK(vault.recall(request).mode_reason == ModeReason::endpoint);
  daybook::recall::ContextRequest about{request.agent, request.query, {}, {}, {}, request.now};
  about.cancelled = &cancelled;
  const auto context = daybook::recall::make_context(
      {daybook::base::real_disk(), vault.folder(), vault.config, {}}, about);
  REQUIRE(context);
  CHECK(context->mode_reason == ModeReason::endpoint);
  CHECK(vault.endpoint.requests().size() == sent);
}

TEST_CASE("an endpoint that keeps a question waiting is told with what helps") {
  EmbeddedVault vault;
  add_sessions(vault);
  vault.endpoint.hang_after(0);
  vault.config.embeddings.timeout_seconds = 600;
  const auto report = vault.recall(vault.question("roses in the garden"));
  CHECK(report.mode_reason == ModeReason::endpoint);
  CHECK(report.mode_note.find("choose a faster model") != std::string::npos);
  // A question does not wait as long as this allows in any case.
  CHECK(report.mode_note.find("timeout_seconds") == std::string::npos);
  CHECK(vault.keys(report).front() == "rose");
}
