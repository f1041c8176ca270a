// SPDX-License-Identifier: MIT
//
// Two agents in one vault, with the same session keys: nothing of one is seen by the other.
#include "daybook/index/reader.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

namespace daybook {
namespace {

using Catch::Contains;
using lineage::Kind;
using support::IndexedVault;
using support::SessionFiles;

SessionFiles of(const std::string& agent, const std::string& word) {
  SessionFiles session(agent, "same-key", "2026-03-20T10:00:00.000Z", "same-id");
  session.set_everywhere("session_id", "\"same-id\"");
  session.summary.fields.set_text("memory_sentence",
                                  "Measured the " + word +
                                      " in src/gauge/import.cpp of tidewater until all readings "
                                      "of February agreed with the chart.");
  session.summary.body = "# " + word + "\n\nEverything here is about the " + word + ".\n";
  return session;
}

}  // namespace

TEST_CASE("Cross-agent bleed: no row, search hit, link or diagnostic crosses") {
  IndexedVault vault;
  const SessionFiles first = of("default", "heronword");
  SessionFiles second = of("scribe", "kestrelword");
  second.summary.body += "\nSee [[memory/missing.md]].\n";  // a finding of its own
  vault.add(first);
  vault.add(second);
  vault.reindex();

  const std::string own = vault.memory_md("default");
  const std::string other = vault.memory_md("scribe");
  CHECK_THAT(own, Contains("heronword") && !Contains("kestrelword") && !Contains(second.token()));
  CHECK_THAT(other, Contains("kestrelword") && !Contains("heronword") && !Contains(first.token()));
  CHECK_THAT(own, !Contains("Attention"));
  CHECK_THAT(other, Contains("Attention: 1 warning"));

  CHECK(vault.search("gauge", "default").size() == 2);
  CHECK(vault.search("kestrelword", "default").empty());
  CHECK(vault.search("heronword", "scribe").empty());
  CHECK(vault.search("heronword", "nobody").empty());

  auto reader = index::Reader::open(vault.folder().file("index.db"));
  REQUIRE(reader);
  const auto found = reader->find_sessions("same-key", "scribe");
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().agent_id == "scribe");
  CHECK(reader->diagnostics("default", 100)->empty());
  CHECK(reader->diagnostics("scribe", 100)->size() == 1);
  const auto links = reader->links_from(second.manifest.path());
  REQUIRE(links);
  for (const auto& link : *links) {
    CHECK_THAT(link.link.target, !Contains(first.token()));
  }
}

TEST_CASE("Cross-agent bleed: removing one agent's session leaves the other's of the same key") {
  IndexedVault vault;
  const SessionFiles first = of("default", "heronword");
  const SessionFiles second = of("scribe", "kestrelword");
  vault.add(first);
  vault.add(second);
  vault.reindex();
  vault.remove_session("same-key", "scribe");
  CHECK_THAT(vault.memory_md("default"), Contains("heronword"));
  CHECK(vault.search("heronword").size() == 1);
  CHECK(vault.exists(first.summary.path()));
  CHECK_FALSE(vault.exists(second.summary.path()));
  // A projection once published stays maintained when its sessions are gone.
  CHECK_THAT(vault.memory_md("scribe"), !Contains("kestrelword"));
}

TEST_CASE(
    "Cross-agent bleed: agents whose ids differ only in case are reported and do not share a "
    "projection") {
  IndexedVault vault;
  vault.add(of("scribe", "heronword"));
  vault.add(of("Scribe", "kestrelword"));
  vault.reindex();
  auto reader = index::Reader::open(vault.folder().file("index.db"));
  REQUIRE(reader);
  const auto found = reader->diagnostics({}, 100);
  REQUIRE(found);
  CHECK(std::count_if(found->begin(), found->end(), [](const auto& finding) {
          return finding.code == "bad-agent-id";
        }) == 2);
  CHECK(vault.exists("agents/Scribe/MEMORY.md"));
  CHECK_FALSE(vault.exists("agents/scribe/MEMORY.md"));
}

}  // namespace daybook
