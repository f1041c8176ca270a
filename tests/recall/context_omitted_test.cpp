// SPDX-License-Identifier: MIT
//
// What a context leaves out is named: of every section, as far as it is still there, and as many as
// are listed.
#include "daybook/recall/context.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace {

using daybook::recall::Context;
using daybook::support::IndexedVault;
using daybook::support::SessionFiles;

SessionFiles session(int number) {
  const std::string time = "2026-03-" + std::to_string(10 + number) + "T10:00:00.000Z";
  SessionFiles files("default", "key-" + std::to_string(number), time);
  files.set_everywhere("ended_at", daybook::support::json_quoted(time));
  files.summary.body = "# About the heron\n";
  files.transcript.present = false;
  return files;
}

Context context(const IndexedVault& vault, const std::string& query) {
  daybook::recall::ContextRequest request;
  request.agent = "default";
  request.query = query;
  request.now = {vault.clock().now_ms()};
  request.budget_tokens = 20'000;
  auto made =
      daybook::recall::make_context({daybook::base::real_disk(), vault.folder(), {}, {}}, request);
  REQUIRE(made);
  return std::move(made).value();
}

bool names(const Context& context, const std::string& id) {
  return std::any_of(context.omitted.begin(), context.omitted.end(), [&](const auto& memory) {
    return memory.id == id;
  });
}

std::string learning_path(int id) {
  return "memory/learnings/" + std::to_string(1'000'000 + id) + "-note.md";
}

}  // namespace

TEST_CASE("Sessions beyond the most that are told are named, those that are gone are not") {
  IndexedVault vault;
  for (int number = 0; number < 12; ++number) {
    vault.add(session(number));
  }
  vault.reindex();
  for (const std::string query : {"", "heron"}) {
    const Context all = context(vault, query);
    CHECK(all.prompt.kept.size() == 8);
    CHECK(all.omitted.size() == 4);
    CHECK(names(all, session(0).token()));
  }
  vault.unlink("memory/" + session(0).file_name(daybook::lineage::Kind::summary));
  for (const std::string query : {"", "heron"}) {
    const Context fewer = context(vault, query);
    CHECK(fewer.omitted.size() == 3);
    CHECK_FALSE(names(fewer, session(0).token()));
  }
}

TEST_CASE("Of learnings left out the first hundred are listed, and all are counted") {
  IndexedVault vault;
  constexpr int kLearnings = 150;
  for (int id = 0; id < kLearnings; ++id) {
    vault.write(learning_path(id),
                "---\nlearning_kind: fact\ncreated_at: 2026-03-20T10:00:00Z\n---\n\nThe heron of "
                "number " +
                    std::to_string(id) + ".\n");
  }
  vault.reindex();
  Context all = context(vault, "heron");
  CHECK(all.prompt.kept.size() == 12);
  CHECK(all.omitted.size() == kLearnings - 12);
  CHECK(daybook::recall::listed_omissions(all).size() == daybook::recall::kMostListed);
  const std::string gone = all.omitted.front().id;
  vault.unlink("memory/learnings/" + gone + "-note.md");
  all = context(vault, "heron");
  CHECK_FALSE(names(all, gone));
  CHECK(all.known_stale);
}

TEST_CASE("A learning of the future is not told") {
  IndexedVault vault;
  vault.write(learning_path(1),
              "---\nlearning_kind: fact\ncreated_at: 2026-04-20T10:00:00Z\n---\n\nThe heron.\n");
  vault.reindex();
  CHECK(context(vault, "heron").prompt.text.empty());
  CHECK(context(vault, "").prompt.text.empty());
  vault.set_now("2026-04-21T10:00:00.000Z");
  CHECK(context(vault, "heron").prompt.kept.size() == 1);
}
