// SPDX-License-Identifier: MIT
#include "daybook/recall/context.hpp"

#include "daybook/state/removed_marks.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

using daybook::recall::Context;
using daybook::recall::ContextRequest;
using daybook::state::RunMemoryPolicy;
using daybook::support::IndexedVault;
using daybook::support::SessionFiles;

/// A session that ended with a run, at that time of March 2026.
SessionFiles session(const std::string& agent,
                     const std::string& key,
                     const std::string& day,
                     const std::string& word,
                     const std::string& project = "/home/dev/tidewater") {
  SessionFiles files(agent, key, "2026-03-" + day + "T10:00:00.000Z", "id-" + agent + key);
  files.set_everywhere("project", daybook::support::json_quoted(project));
  files.summary.body = "# About the " + word + "\n\nThe " + word + " was seen in src/a.cpp.\n";
  files.summary.fields.set_text("memory_sentence",
                                "Watched the " + word +
                                    " near src/gauge/import.cpp until it left the river bank "
                                    "again in the late evening.");
  files.summary.fields.set_text("run_status", "completed");
  files.summary.fields.set_text("run_summary", "Request: watch the " + word + ". Result: seen.");
  return files;
}

class Vault : public IndexedVault {
 public:
  Context context(ContextRequest request, const RunMemoryPolicy& policy = {}) {
    request.agent = request.agent.empty() ? "default" : request.agent;
    request.now = {clock().now_ms()};
    auto made =
        daybook::recall::make_context({daybook::base::real_disk(), folder(), {}, policy}, request);
    REQUIRE(made);
    return std::move(made).value();
  }
};

bool holds(const Context& context, const std::string& text) {
  return context.prompt.text.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("A session is reminded of its own runs, and of sessions that matter to the question") {
  Vault vault;
  vault.add(session("default", "now", "20", "heron"));
  vault.add(session("default", "other", "21", "walrus"));
  vault.add(session("default", "else", "22", "bison"));
  vault.reindex();
  const Context context = vault.context({{}, "where was the walrus", "now", {}, {}, {}});
  CHECK(context.session_known);
  CHECK(holds(context, "# Recovered Memory"));
  CHECK(holds(context, "Request: watch the heron. Result: seen."));
  CHECK(holds(context, "# Earlier Sessions"));
  CHECK(holds(context, "Watched the walrus"));
  // Of the session itself only its runs are told.
  CHECK_FALSE(holds(context, "Watched the heron"));
  CHECK(vault.context({{}, "where was the walrus", "now", {}, {}, {}}).prompt.text ==
        context.prompt.text);
}

TEST_CASE("Context holds nothing of other agents, noise, invalid, removed or changed sessions") {
  Vault vault;
  vault.add(session("default", "mine", "20", "heron"));
  vault.add(session("other", "theirs", "21", "heron with a walrus"));
  vault.add(session("default", "scratch", "22", "heron with a gecko", "/tmp/scratch"));
  vault.add(session("default", "gone", "23", "heron with a bison"));
  SessionFiles invalid = session("default", "invalid", "24", "heron with an ibis");
  invalid.summary.fields.set_text("content_sha256", std::string(64, '0'));
  vault.add(invalid);
  vault.reindex();
  vault.remove_session("gone");
  for (const std::string query : {"heron", "", "heron gecko walrus bison ibis"}) {
    for (const std::uint64_t budget : {500U, 2000U, 20'000U}) {
      const Context context = vault.context({{}, query, "scratch", budget, {}, {}});
      INFO(query << "\n" << context.prompt.text);
      CHECK(holds(context, "Watched the heron near"));
      CHECK_FALSE(holds(context, "walrus"));
      CHECK_FALSE(holds(context, "bison"));
      CHECK_FALSE(holds(context, "ibis"));
      CHECK_FALSE(holds(context, "Watched the heron with a gecko"));
    }
  }
}

TEST_CASE("A context keeps to every budget, and to a quarter of a known model's window") {
  Vault vault;
  for (int i = 10; i < 28; ++i) {
    vault.add(session("default", "key-" + std::to_string(i), std::to_string(i), "heron"));
  }
  vault.reindex();
  for (std::uint64_t budget = 0; budget <= 20'000; budget += budget < 600 ? 23 : 997) {
    const Context context = vault.context({{}, "heron", "key-12", budget, {}, {}});
    REQUIRE(context.prompt.tokens <= budget);
    REQUIRE(context.prompt.tokens == daybook::recall::estimated_tokens(context.prompt.text));
  }
  CHECK(vault.context({{}, "heron", {}, 0, {}, {}}).prompt.text.empty());
  CHECK(vault.context({{}, "heron", {}, 50'000, "openai/gpt-4-0613", {}}).budget_tokens == 2048);
  CHECK(vault.context({{}, "heron", {}, 50'000, "of-nobody", {}}).budget_tokens == 50'000);
}

TEST_CASE("The policy says which runs are told") {
  Vault vault;
  std::string manifest;
  for (int i = 10; i < 16; ++i) {
    SessionFiles files = session("default", "key", std::to_string(i), "bird" + std::to_string(i));
    if (manifest.empty()) {
      manifest = "memory/" + files.file_name(daybook::lineage::Kind::manifest);
    } else {
      files.manifest.present = false;
      files.summary.fields.set_text("manifest_path", manifest);
      files.transcript.fields.set_text("manifest_path", manifest);
    }
    vault.add(files);
  }
  vault.reindex();
  RunMemoryPolicy policy;
  policy.max_prompt_entries = 2;
  Context context = vault.context({{}, {}, "key", {}, {}, {}}, policy);
  CHECK(context.runs == 6);
  REQUIRE(context.omitted.size() == 4);
  CHECK(context.omitted[0].section == daybook::recall::kRecoveredSection);
  CHECK(context.omitted[0].id.starts_with("2026-03-13"));
  CHECK(context.omitted[3].id.starts_with("2026-03-10"));
  CHECK(holds(context, "bird15"));
  CHECK(holds(context, "bird14"));
  CHECK_FALSE(holds(context, "watch the bird13"));
  // The question ranks before the time.
  CHECK(holds(vault.context({{}, "bird10", "key", {}, {}, {}}, policy), "watch the bird10"));
  policy.max_tracked_per_session = 3;
  CHECK(vault.context({{}, {}, "key", {}, {}, {}}, policy).runs == 3);
  policy.retention_ms = 16LL * 24 * 60 * 60 * 1000;  // from the 14th, noon, on
  context = vault.context({{}, {}, "key", {}, {}, {}}, policy);
  CHECK(context.runs == 1);
  policy.enabled = false;
  CHECK_FALSE(holds(vault.context({{}, {}, "key", {}, {}, {}}, policy), "Recovered Memory"));
}

TEST_CASE("What is told is redacted before it is cut") {
  Vault vault;
  SessionFiles files = session("default", "key", "20", "heron");
  const std::string token = "ghp_" + std::string(36, 'A');
  files.summary.fields.set_text("run_summary", std::string(470, 'x') + " " + token);
  vault.add(files);
  vault.reindex();
  const Context context = vault.context({{}, {}, "key", {}, {}, {}});
  CHECK(holds(context, "xxxx"));
  CHECK_FALSE(holds(context, "ghp_"));
}

TEST_CASE("A memory of exactly the most characters is told whole") {
  Vault vault;
  SessionFiles files = session("default", "key", "20", "heron");
  files.summary.fields.set_text("run_summary", std::string(479, 'x') + "!");
  vault.add(files);
  vault.reindex();
  const Context context = vault.context({{}, {}, "key", {}, {}, {}});
  CHECK(holds(context, "xxx!"));
  CHECK_FALSE(holds(context, "xxx!…"));
}

TEST_CASE("Sessions that changed since they were sealed take no other's place") {
  Vault vault;
  const auto make = [](int day) {
    SessionFiles files =
        session("default", "key-" + std::to_string(day), std::to_string(day), "heron");
    files.transcript.body = "- the heron, the heron\n";
    return files;
  };
  for (int day = 10; day < 20; ++day) {  // as many as are asked for, and one
    vault.add(make(day));
  }
  vault.add(session("default", "sound", "05", "walrus, and no heron"));
  vault.reindex();
  for (int day = 10; day < 20; ++day) {
    const std::string transcript =
        "memory/" + make(day).file_name(daybook::lineage::Kind::transcript);
    vault.write(transcript, vault.read(transcript) + "- and the heron\n");
  }
  vault.reindex();
  const Context context = vault.context({{}, "heron", {}, {}, {}, {}});
  INFO(context.prompt.text);
  CHECK(holds(context, "Watched the walrus"));
  CHECK_FALSE(holds(context, "Watched the heron"));
}

TEST_CASE("A run whose note has changed since it was indexed is left out and counted") {
  Vault vault;
  const SessionFiles files = session("default", "key", "20", "heron");
  vault.add(files);
  vault.reindex();
  vault.write("memory/" + files.file_name(daybook::lineage::Kind::summary), "another text");
  const Context context = vault.context({{}, {}, "key", {}, {}, {}});
  CHECK(context.unreadable == 1);
  CHECK(context.known_stale);
  CHECK_FALSE(holds(context, "Recovered Memory"));
}

TEST_CASE("Only a context that is handed on counts") {
  Vault vault;
  vault.add(session("default", "key", "20", "heron"));
  vault.reindex();
  auto state = vault.open_state();
  const Context context = vault.context({{}, {}, "key", {}, {}, {}});
  CHECK(state.meta_number(daybook::state::kInjectedTotal).value() == 0);
  REQUIRE(daybook::recall::count_context(state, context));
  CHECK(state.meta_number(daybook::state::kInjectedTotal).value() == 1);
  CHECK(state.meta_number(daybook::state::kRankedTotal).value() == 1);
  REQUIRE(daybook::recall::count_context(state, vault.context({{}, {}, "key", 0, {}, {}})));
  CHECK(state.meta_number(daybook::state::kInjectedTotal).value() == 1);
  CHECK(state.meta_number(daybook::state::kOmittedTotal).value() == 1);
}

TEST_CASE("What is told stands in a file that still says so") {
  for (const std::string query : {"", "heron"}) {
    Vault vault;
    const SessionFiles files = session("default", "key", "20", "heron");
    vault.add(files);
    vault.add(session("default", "kept", "21", "heron of the sea"));
    vault.reindex();
    const std::string summary = "memory/" + files.file_name(daybook::lineage::Kind::summary);
    INFO(query);
    CHECK(holds(vault.context({{}, query, {}, {}, {}, {}}), "Watched the heron near"));
    vault.write(summary, "another text");
    CHECK_FALSE(holds(vault.context({{}, query, {}, {}, {}, {}}), "Watched the heron near"));
    vault.unlink(summary);
    const Context context = vault.context({{}, query, {}, {}, {}, {}});
    CHECK_FALSE(holds(context, "Watched the heron near"));
    CHECK(holds(context, "Watched the heron of the sea"));
    CHECK(context.known_stale);
  }
}

TEST_CASE("A session that was removed is told no more while its files and rows are still there") {
  Vault vault;
  const SessionFiles files = session("default", "gone", "20", "heron");
  vault.add(files);
  vault.reindex();
  daybook::lineage::Tombstone tombstone;
  tombstone.token = daybook::lineage::SessionToken::parse(files.token()).value();
  tombstone.agent_id = "default";
  tombstone.removed_at = daybook::lineage::Timestamp{vault.clock().now_ms()};
  auto state = vault.open_state();
  REQUIRE(state.tombstones().put(tombstone));
  daybook::state::mark_removed(vault.folder(), {&tombstone, 1});
  for (const std::string query : {"", "heron"}) {
    const Context context = vault.context({{}, query, "gone", {}, {}, {}});
    CHECK(context.prompt.text.empty());
    CHECK_FALSE(context.session_known);
  }
}

TEST_CASE("What lies in the future is not told") {
  Vault vault;
  vault.add(session("default", "key", "20", "heron"));
  vault.reindex();
  vault.set_now("2026-03-19T00:00:00.000Z");
  for (const std::string query : {"", "heron"}) {
    CHECK(vault.context({{}, query, "key", {}, {}, {}}).prompt.text.empty());
    CHECK(vault.context({{}, query, {}, {}, {}, {}}).prompt.text.empty());
  }
}

TEST_CASE("A session is reminded of its own runs only when it is named exactly") {
  Vault vault;
  vault.add(session("default", "main-2", "20", "heron"));
  vault.reindex();
  CHECK_FALSE(vault.context({{}, {}, "main", {}, {}, {}}).session_known);
  CHECK_FALSE(holds(vault.context({{}, {}, "main", {}, {}, {}}), "Recovered Memory"));
  CHECK(vault.context({{}, {}, "main-2", {}, {}, {}}).session_known);
  CHECK(vault.context({{}, {}, "id-defaultmain-2", {}, {}, {}}).session_known);
  CHECK_FALSE(vault.context({"other", {}, "main-2", {}, {}, {}}).session_known);
}

TEST_CASE("Personal data is redacted as the policy says, secrets always") {
  Vault vault;
  SessionFiles files = session("default", "key", "20", "heron");
  files.summary.fields.set_text("run_summary",
                                "Mailed ada@example.com the key ghp_" + std::string(36, 'A') + ".");
  vault.add(files);
  vault.reindex();
  RunMemoryPolicy policy;
  const Context redacted = vault.context({{}, {}, "key", {}, {}, {}}, policy);
  CHECK_FALSE(holds(redacted, "ada@example.com"));
  CHECK_FALSE(holds(redacted, "ghp_"));
  CHECK(redacted.redacted == 2);
  policy.redact_pii = false;
  const Context kept = vault.context({{}, {}, "key", {}, {}, {}}, policy);
  CHECK(holds(kept, "ada@example.com"));
  CHECK_FALSE(holds(kept, "ghp_"));
}

TEST_CASE("A run that cannot be read makes room for the next one, and its name tells no folder") {
  Vault vault;
  SessionFiles first = session("default", "key", "20", "heron");
  first.summary.folder = "memory/[x](y) # Obey";
  vault.add(first);
  SessionFiles second = session("default", "key", "21", "walrus");
  second.manifest.present = false;
  for (auto* file : {&second.summary, &second.transcript}) {
    file->fields.set_text("manifest_path",
                          "memory/" + first.file_name(daybook::lineage::Kind::manifest));
  }
  vault.add(second);
  vault.reindex();
  RunMemoryPolicy policy;
  policy.max_prompt_entries = 1;
  CHECK(holds(vault.context({{}, {}, "key", {}, {}, {}}, policy), "watch the walrus"));
  vault.unlink("memory/" + second.file_name(daybook::lineage::Kind::summary));
  const Context context = vault.context({{}, {}, "key", {}, {}, {}}, policy);
  CHECK(holds(context, "watch the heron"));
  CHECK_FALSE(holds(context, "Obey"));
  CHECK(context.unreadable == 1);
  REQUIRE(context.prompt.kept.size() == 1);
  CHECK(context.prompt.kept[0].id + ".md" == first.file_name(daybook::lineage::Kind::summary));
}

TEST_CASE("A long project leaves room for what happened there") {
  Vault vault;
  vault.add(session("default", "key", "20", "heron", "/home/" + std::string(2000, 'x')));
  vault.reindex();
  CHECK(holds(vault.context({{}, {}, {}, {}, {}, {}}), "Watched the heron"));
}

TEST_CASE("A question that holds no telling word reminds of the latest sessions") {
  Vault vault;
  vault.add(session("default", "key", "20", "heron"));
  vault.reindex();
  CHECK(holds(vault.context({{}, "what was it?", {}, {}, {}, {}}), "Watched the heron"));
}
