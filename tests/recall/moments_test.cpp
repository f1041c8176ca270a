// SPDX-License-Identifier: MIT
//
// What is asked while time goes on: what lies ahead, what came since the last sweep, and an index
// or a text that is not any more what it was.
#include "daybook/index/full_text.hpp"
#include "daybook/recall/context.hpp"
#include "daybook/service/search.hpp"
#include "daybook/state/removed_marks.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace {

using daybook::recall::Noise;
using daybook::recall::RecallReport;
using daybook::recall::RecallRequest;
using daybook::support::IndexedVault;
using daybook::support::SessionFiles;

using Keys = std::vector<std::string>;

SessionFiles session(const std::string& key,
                     const std::string& word,
                     const std::string& time = "2026-03-20T10:00:00.000Z") {
  SessionFiles files("default", key, time);
  files.set_everywhere("ended_at", daybook::support::json_quoted(time));
  files.summary.body = "# About the " + word + "\n";
  files.transcript.present = false;
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

Keys keys(const RecallReport& report) {
  Keys keys;
  for (const auto& result : report.results) {
    keys.push_back(result.session.session_key);
  }
  return keys;
}

daybook::service::SearchReport searched(const IndexedVault& vault, const std::string& words) {
  daybook::service::SearchRequest request;
  request.query = words;
  auto report = daybook::service::search(daybook::base::real_disk(), vault.folder(), request);
  REQUIRE(report);
  return std::move(report).value();
}

std::string context(const IndexedVault& vault, const std::string& query) {
  daybook::recall::ContextRequest request;
  request.agent = "default";
  request.query = query;
  request.now = {vault.clock().now_ms()};
  const auto made =
      daybook::recall::make_context({daybook::base::real_disk(), vault.folder(), {}, {}}, request);
  REQUIRE(made);
  return made->prompt.text;
}

daybook::recall::Context of_session(const IndexedVault& vault, const std::string& key) {
  daybook::recall::ContextRequest request;
  request.agent = "default";
  request.session = key;
  request.now = {vault.clock().now_ms()};
  auto made =
      daybook::recall::make_context({daybook::base::real_disk(), vault.folder(), {}, {}}, request);
  REQUIRE(made);
  return std::move(made).value();
}

/// As another device would have written it, and a synchroniser brought it.
std::string tombstone_of(const SessionFiles& files, const std::string& more = {}) {
  return "---\nkind: tombstone\nagent_id: default\nsession_token: " + files.token() +
         "\nremoved_at: \"2026-03-29T10:00:00.000Z\"\nreason: test\nscope: session\n"
         "removed_paths: []\nremoved_sha256: []\n" +
         more + "---\n\nRemoved.\n";
}

std::string tombstone_of_path(const SessionFiles& files, const std::string& path) {
  return "---\nkind: tombstone\nagent_id: default\nsession_token: " + files.token() +
         "\nremoved_at: \"2026-03-29T10:00:00.000Z\"\nreason: test\nscope: paths\n"
         "removed_paths:\n  - \"" +
         path + "\"\nremoved_sha256: []\n---\n\nRemoved.\n";
}

/// As a pass puts it into state.db before it reads the files.
void copy_tombstone_of_path(const IndexedVault& vault,
                            const SessionFiles& files,
                            const std::string& path) {
  daybook::lineage::Tombstone copy;
  copy.token = *daybook::lineage::SessionToken::parse(files.token());
  copy.agent_id = "default";
  copy.removed_at = daybook::lineage::parse_timestamp("2026-03-29T10:00:00.000Z");
  copy.reason = "test";
  copy.scope = daybook::lineage::TombstoneScope::paths;
  copy.removed_paths = {path};
  auto state = vault.open_state();
  daybook::state::mark_removed(vault.folder(), std::span(&copy, 1));
  REQUIRE(state.tombstones().put(copy));
}

}  // namespace

TEST_CASE("What lies in the future is no answer unless it is asked for") {
  IndexedVault vault;
  vault.add(session("past", "heron"));
  vault.add(session("ahead", "heron", "2026-05-20T10:00:00.000Z"));
  vault.reindex();
  RecallRequest request = question(vault, "heron");
  CHECK(keys(ask(vault, request)) == Keys{"past"});
  request.until = {request.now.ms + 90LL * 24 * 60 * 60 * 1000};
  CHECK(keys(ask(vault, request)).size() == 2);
  request.until.reset();
  request.noise = Noise::included;
  CHECK(keys(ask(vault, request)).size() == 2);
}

TEST_CASE("Of equal memories the order does not depend on when they were indexed") {
  IndexedVault vault;
  for (const int i : {5, 3, 1, 4, 2, 0}) {
    vault.add(session("key-" + std::to_string(i), "gnu"));
    vault.reindex();
  }
  const RecallReport before = ask(vault, question(vault, "gnu"));
  const std::string told = context(vault, "gnu");
  REQUIRE(before.results.size() == 6);
  for (std::size_t i = 1; i < before.results.size(); ++i) {
    CHECK(before.results[i - 1].session.token < before.results[i].session.token);
  }
  vault.reindex(daybook::service::Extent::everything);
  CHECK(keys(ask(vault, question(vault, "gnu"))) == keys(before));
  CHECK(context(vault, "gnu") == told);
}

TEST_CASE("A session that asks is no noise to itself") {
  IndexedVault vault;
  SessionFiles files = session("mine", "heron");
  files.set_everywhere("project", daybook::support::json_quoted("/tmp/scratch"));
  vault.add(files);
  SessionFiles beside = session("beside", "heron");
  beside.set_everywhere("project", daybook::support::json_quoted("/tmp/scratch"));
  vault.add(beside);
  vault.reindex();
  RecallRequest request = question(vault, "heron");
  CHECK(ask(vault, request).results.empty());
  auto index = daybook::recall::OpenIndex::open(vault.folder());
  REQUIRE(index);
  const auto called = daybook::recall::session_called(index->reader, "mine", "default");
  REQUIRE(called);
  request.behalf = daybook::recall::behalf_of(
      *called, "mine", "default", daybook::state::SearchVisibility::learning_scopes);
  CHECK(keys(ask(vault, request)) == Keys{"mine"});
}

TEST_CASE("A session whose tombstone has come since the last sweep is told no more") {
  IndexedVault vault;
  const SessionFiles files = session("gone", "heron");
  vault.add(files);
  vault.add(session("kept", "heron"));
  vault.reindex();
  const std::string tombstone =
      "memory/2026-03-29T10-00-00.000Z--" + files.token() + "--tombstone.md";
  vault.write(tombstone, tombstone_of(files));
  CHECK(keys(ask(vault, question(vault, "heron"))) == Keys{"kept"});
  CHECK(searched(vault, "heron").results.size() == 1);
  for (const std::string query : {"", "heron"}) {
    CHECK(context(vault, query).find(files.token()) == std::string::npos);
  }
  // One that was lifted removes nothing, and one that cannot be read removes by its name.
  vault.write(tombstone, tombstone_of(files, "lifted_at: \"2026-03-30T10:00:00.000Z\"\n"));
  CHECK(keys(ask(vault, question(vault, "heron"))).size() == 2);
  vault.write(tombstone, "not even frontmatter");
  CHECK(keys(ask(vault, question(vault, "heron"))) == Keys{"kept"});
}

TEST_CASE("Of a session that stays, the one file that a tombstone names is told no more") {
  IndexedVault vault;
  SessionFiles files = session("kept", "heron");
  files.summary.fields.set_text("run_status", "completed");
  files.summary.fields.set_text("run_summary", "Request: watch the heron.");
  vault.add(files);
  vault.reindex();
  const std::string summary = "memory/" + files.file_name(daybook::lineage::Kind::summary);
  vault.write("memory/2026-03-29T10-00-00.000Z--" + files.token() + "--tombstone.md",
              tombstone_of_path(files, summary));
  CHECK(ask(vault, question(vault, "heron")).results.empty());
  CHECK(searched(vault, "heron").results.empty());
  CHECK(of_session(vault, "kept").prompt.text.empty());
}

TEST_CASE("A file whose tombstone a pass has copied, and no more than that, is told no more") {
  IndexedVault vault;
  SessionFiles files = session("kept", "heron");
  files.summary.fields.set_text("run_status", "completed");
  files.summary.fields.set_text("run_summary", "Request: watch the heron.");
  files.transcript.present = true;
  files.transcript.body = "User: Where is the walrus?\n";
  vault.add(files);
  vault.reindex();
  const std::string token = files.token();
  REQUIRE(context(vault, "").find(token) != std::string::npos);
  REQUIRE(of_session(vault, "kept").runs == 1);
  vault.write("memory/2026-03-29T10-00-00.000Z--" + token + "--tombstone.md",
              tombstone_of_path(files, files.summary.path()));
  copy_tombstone_of_path(vault, files, files.summary.path());
  CHECK(ask(vault, question(vault, "heron")).results.empty());
  CHECK(ask(vault, question(vault, "walrus")).results.empty());
  CHECK(searched(vault, "heron").results.empty());
  CHECK(searched(vault, "walrus").results.size() == 1);
  for (const std::string query : {"", "heron"}) {
    CHECK(context(vault, query).find(token) == std::string::npos);
  }
  const auto told = of_session(vault, "kept");
  CHECK(told.runs == 0);
  CHECK(told.prompt.text.empty());
}

TEST_CASE("A session that is found by another note is not told by the sentence of a removed one") {
  IndexedVault vault;
  SessionFiles files = session("kept", "heron");
  files.transcript.present = true;
  files.transcript.body = "User: Where is the walrus?\n";
  vault.add(files);
  vault.reindex();
  REQUIRE(keys(ask(vault, question(vault, "walrus"))) == Keys{"kept"});
  vault.write("memory/2026-03-29T10-00-00.000Z--" + files.token() + "--tombstone.md",
              tombstone_of_path(files, files.summary.path()));
  const RecallReport report = ask(vault, question(vault, "walrus"));
  CHECK(report.results.empty());
  CHECK(report.known_stale());
}

TEST_CASE("A question that meets an index built anew meanwhile is asked of that one") {
  IndexedVault vault;
  vault.add(session("first", "heron"));
  vault.reindex();
  auto index = daybook::recall::OpenIndex::open(vault.folder());
  REQUIRE(index);
  vault.add(session("second", "heron"));
  vault.reindex(daybook::service::Extent::everything);
  const RecallRequest request = question(vault, "heron");
  const auto prepared =
      daybook::recall::prepare_question(daybook::base::real_disk(), vault.folder(), request);
  REQUIRE(prepared);
  const auto report = daybook::recall::recall(
      daybook::base::real_disk(), vault.folder(), {}, request, *prepared, *index);
  REQUIRE(report);
  CHECK(report->results.size() == 2);
  CHECK_FALSE(report->known_stale());
}

TEST_CASE("An answer tells the generation of the snapshot that it comes from") {
  IndexedVault vault;
  vault.add(session("first", "heron"));
  vault.reindex();
  auto index = daybook::recall::OpenIndex::open(vault.folder());
  REQUIRE(index);
  const auto before = index->reader.meta().generation;
  vault.add(session("second", "heron"));
  vault.reindex();
  const RecallRequest request = question(vault, "heron");
  const auto prepared =
      daybook::recall::prepare_question(daybook::base::real_disk(), vault.folder(), request);
  const auto report = daybook::recall::recall(
      daybook::base::real_disk(), vault.folder(), {}, request, *prepared, *index);
  REQUIRE(report);
  CHECK(report->results.size() == 2);
  CHECK(report->generation > before);
}

TEST_CASE("Full text that was lost counts as behind, and never looks like nothing found") {
  IndexedVault vault;
  vault.add(session("key", "heron"));
  vault.reindex();
  REQUIRE_FALSE(ask(vault, question(vault, "heron")).known_stale());
  std::filesystem::remove_all(vault.folder().file(daybook::index::kTextFolder));
  const RecallReport report = ask(vault, question(vault, "heron"));
  CHECK(report.results.empty());
  CHECK(report.months_behind == 1);
  CHECK(report.known_stale());
  CHECK(searched(vault, "heron").known_stale());
  const auto degraded = vault.degraded();
  CHECK(std::find(degraded.begin(), degraded.end(), "full-text-behind") != degraded.end());
  vault.reindex();
  CHECK(ask(vault, question(vault, "heron")).results.size() == 1);
}

TEST_CASE("A question of any length finds by what it tells, and says when not all of it counts") {
  IndexedVault vault;
  vault.add(session("key", "idempotency"));
  vault.reindex();
  std::string asked;
  for (int i = 0; i < 1100; ++i) {
    asked += "the ";
  }
  const RecallReport long_one = ask(vault, question(vault, asked + "idempotency"));
  CHECK(keys(long_one) == Keys{"key"});
  CHECK_FALSE(long_one.question_cut);
  asked.clear();
  for (int i = 0; i < 40; ++i) {
    asked += "word" + std::to_string(1000 + i) + " ";
  }
  CHECK(ask(vault, question(vault, asked)).question_cut);
}

TEST_CASE("A project is found by its name with a slash at the end") {
  IndexedVault vault;
  SessionFiles files = session("key", "heron");
  files.set_everywhere("project", daybook::support::json_quoted("/home/dev/tidewater"));
  vault.add(files);
  vault.reindex();
  for (const std::string project : {"/home/dev/tidewater/", "tidewater/", "tidewater"}) {
    RecallRequest request = question(vault, "heron");
    request.project = project;
    CHECK(keys(ask(vault, request)) == Keys{"key"});
  }
}

TEST_CASE("A line that the sentence says already tells nothing more") {
  IndexedVault vault;
  SessionFiles files = session("key", "walrus");
  files.summary.body = "# Nothing of it\n";
  files.summary.fields.set_text(
      "memory_sentence",
      "Watched the heron near src/gauge/import.cpp until it left the river bank again at night.");
  vault.add(files);
  vault.reindex();
  const RecallReport report = ask(vault, question(vault, "heron"));
  REQUIRE(report.results.size() == 1);
  CHECK_FALSE(daybook::recall::tells_more(report.results[0]));
  const std::string told = context(vault, "heron");
  CHECK(told.find("Watched the heron") == told.rfind("Watched the heron"));
}
