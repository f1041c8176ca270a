// SPDX-License-Identifier: MIT
//
// What was learned, by its vectors: beside sessions, alone, and where no session can be in scope.
#include "embedding/embedded_vault.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

using daybook::recall::Learned;
using daybook::recall::RecallRequest;
using daybook::test::EmbeddedVault;

void learn(const EmbeddedVault& vault, const std::string& content, const std::string& scope) {
  vault.write(
      "memory/learnings/4711-note.md",
      "---\nkind: learning\nlearning_kind: fact\nscope: " + scope + "\n---\n" + content + "\n");
}

RecallRequest asking(const EmbeddedVault& vault, const std::string& question) {
  RecallRequest request = vault.question(question);
  request.learned = Learned::included;
  return request;
}

}  // namespace

TEST_CASE("What was learned in a project that has no session is found by its vector") {
  EmbeddedVault vault;
  vault.endpoint.mean_the_same({"automobile", "vehicle"});
  vault.add_session("rose", "Planted roses along the wall of the southern garden.", "Roses.");
  learn(vault, "The automobile is parked behind the mill.", "project:/home/dev/mill");
  vault.reindex();
  vault.embed();
  RecallRequest request = asking(vault, "vehicle");
  request.project = "mill";
  const auto report = vault.recall(request);
  REQUIRE(report.results.size() == 1);
  CHECK(report.results[0].learning->learning.id == 4711);
  CHECK(report.results[0].why.vector_place == 1);
}

TEST_CASE("Where facts alone are asked for, nearer sessions do not take their place") {
  EmbeddedVault vault(64);
  constexpr int kSessions = 1001;  // more than are looked at
  for (int i = 0; i < kSessions; ++i) {
    vault.add_session("car-" + std::to_string(i), "Automobile automobile.", "Automobile.");
  }
  learn(vault,
        "Beside the old mill at the end of the lane the miller keeps one automobile.",
        "workspace:default");
  vault.endpoint.mean_the_same({"automobile", "vehicle"});
  vault.reindex();
  vault.embed();
  RecallRequest request = asking(vault, "vehicle");
  request.types = {daybook::lineage::MemoryType::semantic};
  const auto report = vault.recall(request);
  REQUIRE(report.results.size() == 1);
  CHECK(report.results[0].learning->learning.id == 4711);
  CHECK(report.results[0].why.vector_place == 1);
}
