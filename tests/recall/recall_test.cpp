// SPDX-License-Identifier: MIT
#include "daybook/recall/recall.hpp"

#include "daybook/state/removed_marks.hpp"
#include "daybook/state/telemetry.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using daybook::lineage::Kind;
using daybook::recall::RecallReport;
using daybook::recall::RecallRequest;
using daybook::state::SearchVisibility;
using daybook::support::IndexedVault;
using daybook::support::SessionFiles;

/// Summary and transcript both hold the word.
SessionFiles session(const std::string& agent,
                     const std::string& key,
                     const std::string& word,
                     const std::string& project = "/home/dev/tidewater") {
  SessionFiles files(agent, key, "2026-03-20T10:00:00.000Z");
  files.set_everywhere("project", daybook::support::json_quoted(project));
  files.summary.body = "# About the " + word + "\n";
  files.transcript.body = "The user asked about the " + word + ".\n";
  return files;
}

RecallRequest question(const IndexedVault& vault, const std::string& query) {
  RecallRequest request;
  request.query = query;
  request.top_k = 50;
  request.now = {vault.clock().now_ms()};
  return request;
}

RecallReport ask(const IndexedVault& vault, const RecallRequest& request) {
  auto report = daybook::recall::recall(daybook::base::real_disk(), vault.folder(), {}, request);
  REQUIRE(report);
  return std::move(report).value();
}

std::vector<std::string> keys(const RecallReport& report) {
  std::vector<std::string> keys;
  for (const auto& result : report.results) {
    keys.push_back(result.session.agent_id + "/" + result.session.session_key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::string> seen_by(const IndexedVault& vault,
                                 const std::string& name,
                                 const std::string& agent,
                                 SearchVisibility visibility) {
  RecallRequest request = question(vault, "heron");
  auto index = daybook::recall::OpenIndex::open(vault.folder());
  REQUIRE(index);
  const auto called = daybook::recall::session_called(index->reader, name, agent);
  REQUIRE(called);
  request.behalf = daybook::recall::behalf_of(*called, name, agent, visibility);
  return keys(ask(vault, request));
}

}  // namespace

TEST_CASE("A session whose sentence stands in a file that has changed is no answer") {
  IndexedVault vault;
  const SessionFiles files = session("default", "key", "heron");
  vault.add(files);
  vault.reindex();
  CHECK(keys(ask(vault, question(vault, "heron"))).size() == 1);
  // The transcript still answers, but the sentence beside it would be of a file that is gone.
  vault.unlink("memory/" + files.file_name(Kind::summary));
  RecallRequest request = question(vault, "heron");
  request.kinds = {Kind::transcript};
  const RecallReport report = ask(vault, request);
  CHECK(report.results.empty());
  CHECK(report.changed == std::vector<std::string>{"memory/" + files.file_name(Kind::summary)});
}

TEST_CASE("A session is noise by its own project, too, not only by that of the note found") {
  IndexedVault vault;
  SessionFiles files = session("default", "key", "heron", "/tmp/scratch");
  files.transcript.fields.set_text("project", "/home/dev/tidewater");
  vault.add(files);
  vault.reindex();
  CHECK(ask(vault, question(vault, "heron")).results.empty());
  RecallRequest request = question(vault, "heron");
  request.noise = daybook::recall::Noise::included;
  CHECK(ask(vault, request).results.size() == 1);
}

TEST_CASE("A session that was removed is no answer while its rows are still there") {
  IndexedVault vault;
  const SessionFiles files = session("default", "key", "heron");
  vault.add(files);
  vault.reindex();
  daybook::lineage::Tombstone tombstone;
  tombstone.token = daybook::lineage::SessionToken::parse(files.token()).value();
  tombstone.agent_id = "default";
  tombstone.removed_at = daybook::lineage::Timestamp{vault.clock().now_ms()};
  auto state = vault.open_state();
  REQUIRE(state.tombstones().put(tombstone));
  daybook::state::mark_removed(vault.folder(), {&tombstone, 1});
  CHECK(ask(vault, question(vault, "heron")).results.empty());
}

TEST_CASE("On behalf of a session only what it may see is found") {
  IndexedVault vault;
  vault.add(session("default", "mine", "heron"));
  vault.add(session("default", "beside", "heron"));
  vault.add(session("default", "elsewhere", "heron", "/home/dev/quillmark"));
  vault.add(session("other", "theirs", "heron"));
  vault.reindex();
  using Keys = std::vector<std::string>;
  CHECK(seen_by(vault, "mine", "default", SearchVisibility::session_only) == Keys{"default/mine"});
  CHECK(seen_by(vault, "mine", "default", SearchVisibility::learning_scopes) ==
        Keys{"default/beside", "default/mine"});
  CHECK(seen_by(vault, "unknown", "default", SearchVisibility::learning_scopes).empty());
  CHECK(seen_by(vault, "theirs", "default", SearchVisibility::learning_scopes).empty());
  CHECK(seen_by(vault, "min", "default", SearchVisibility::session_only).empty());
}

TEST_CASE("A session's own notes are found however many others answer better") {
  IndexedVault vault;
  vault.add(session("default", "mine", "heron and a long tale of many other things by the sea"));
  for (int i = 0; i < 150; ++i) {
    vault.add(session("default", "key-" + std::to_string(i), "heron heron heron heron"));
  }
  vault.reindex();
  CHECK(seen_by(vault, "mine", "default", SearchVisibility::session_only) ==
        std::vector<std::string>{"default/mine"});
}

TEST_CASE("Of two sessions that answer alike the one that is used more comes first") {
  IndexedVault vault;
  vault.add(session("default", "one", "heron"));
  vault.add(session("default", "two", "heron"));
  vault.reindex();
  const auto order = [&vault] {
    std::vector<std::string> best_first;
    for (const auto& result : ask(vault, question(vault, "heron")).results) {
      best_first.push_back(result.session.session_key);
    }
    return best_first;
  };
  const std::vector<std::string> unused = order();
  REQUIRE(unused.size() == 2);
  const daybook::state::TelemetrySubject last{
      daybook::lineage::SessionToken::derive("default", unused[1]), "default"};
  auto state = vault.open_state();
  for (int i = 0; i < 10; ++i) {
    REQUIRE(state.telemetry().record(
        daybook::state::TelemetryEvent::opened, {&last, 1}, {vault.clock().now_ms()}));
  }
  CHECK(order() == std::vector<std::string>{unused[1], unused[0]});
}
