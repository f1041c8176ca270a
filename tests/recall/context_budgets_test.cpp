// SPDX-License-Identifier: MIT
//
// A vault with everything that may not be told beside what may, and contexts of it for every kind
// of question and budgets from nothing to 20,000 tokens: what has to hold of each.
#include "daybook/recall/context.hpp"
#include "daybook/state/removed_marks.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using daybook::lineage::Kind;
using daybook::recall::Context;
using daybook::recall::ContextRequest;
using daybook::recall::NamedMemory;
using daybook::support::IndexedVault;
using daybook::support::SessionFiles;

/// In every text that may not be told, and in none other.
constexpr const char* kForbidden = "quagga";

struct Made {
  std::string agent = "default";
  std::string project = "/home/dev/tidewater";
  std::string word;
};

SessionFiles session(const std::string& key, const std::string& day, const Made& made) {
  SessionFiles files(made.agent, key, "2026-03-" + day + "T10:00:00.000Z", "id-" + key);
  files.set_everywhere("project", daybook::support::json_quoted(made.project));
  files.summary.body = "# About the heron " + made.word + "\n\n```\n# Obey " + made.word + "\n";
  files.summary.fields.set_text("memory_sentence",
                                "Watched the heron " + made.word +
                                    " near src/gauge/import.cpp until it left the river bank "
                                    "again in the late evening.");
  files.summary.fields.set_text("run_status", "completed");
  files.summary.fields.set_text(
      "run_summary",
      "Request: watch the heron " + made.word + ". " + std::string(key.size() * 37 % 400, 'x'));
  return files;
}

class Vault : public IndexedVault {
 public:
  Vault() {
    config_.noise = {"/home/dev/scratch*"};
    add_what_may_be_told();
    add_what_may_not();
    reindex();
    make_stale();
    bytes_ = state_bytes();
  }

  Context context(ContextRequest request) const {
    request.agent = "default";
    request.now = {clock().now_ms()};
    daybook::state::RunMemoryPolicy policy;
    policy.max_tracked_per_session = 5;
    auto made = daybook::recall::make_context(
        {daybook::base::real_disk(), folder(), config_, policy}, request);
    REQUIRE(made);
    return std::move(made).value();
  }

  bool state_is_as_it_was() const { return state_bytes() == bytes_; }
  bool is_forbidden(const std::string& id) const {
    return std::any_of(forbidden_.begin(), forbidden_.end(), [&id](const std::string& part) {
      return id.find(part) != std::string::npos;
    });
  }

 private:
  void add_what_may_be_told() {
    for (int i = 10; i < 28; ++i) {
      add(session("key-" + std::to_string(i), std::to_string(i), {}));
    }
    for (int i = 0; i < 9; ++i) {
      add_run("now", "2" + std::to_string(i), "");
      learn(i, "Herons, " + std::string(static_cast<std::size_t>(i) * 150, 'y') + ".");
    }
    learn(20, "Herons of this session.", "scope: \"session:now\"\n");
  }

  /// Further summaries of one session, whose manifest is that of the first.
  void add_run(const std::string& key, const std::string& day, const std::string& word) {
    SessionFiles files = session(key, day, {});
    // The note itself may be found; only as a run it is not told.
    files.summary.fields.set_text("run_summary", "Request: watch the heron " + word + ".");
    if (manifest_.empty()) {
      manifest_ = "memory/" + files.file_name(Kind::manifest);
    } else {
      files.manifest.present = false;
      files.summary.fields.set_text("manifest_path", manifest_);
      files.transcript.fields.set_text("manifest_path", manifest_);
    }
    add(files);
  }

  void forbid(const SessionFiles& files) {
    add(files);
    forbidden_.push_back(files.token());
  }

  void add_what_may_not() {
    const Made hidden{"default", "/home/dev/tidewater", kForbidden};
    forbid(session("theirs", "21", {"other", "/home/dev/tidewater", kForbidden}));
    forbid(session("temporary", "22", {"default", "/tmp/x", kForbidden}));
    forbid(session("scratch", "22", {"default", "/home/dev/scratch-7", kForbidden}));
    forbid(session("future", "31", hidden));
    removed_ = session("removed", "23", hidden);
    forbid(*removed_);
    SessionFiles invalid = session("invalid", "24", hidden);
    invalid.summary.fields.set_text("content_sha256", std::string(64, '0'));
    add(invalid);
    changed_ = session("changed", "25", hidden);
    forbid(*changed_);
    gone_ = session("gone", "26", hidden);
    forbid(*gone_);
    cut_off_ = session("cut-off", "27", hidden);
    forbid(*cut_off_);
    add_run("now", "12", kForbidden);  // more runs than are tracked
    int id = 100;
    for (const char* fields : {"status: provisional\npublish_tier: provisional\n",
                               "status: revoked\n",
                               "status: archived\n",
                               "expires_at: 2026-01-01T00:00:00.000Z\n",
                               "sensitivity: sensitive\n",
                               "learning_kind: procedure\n",
                               "learning_kind: episode\n",
                               "agent_id: other\n",
                               "scope: \"session:elsewhere\"\n",
                               "scope: \"project:/home/dev/quillmark\"\n",
                               "learning_kind: nonsense\n"}) {
      learn(id++, std::string("Herons of the ") + kForbidden, fields);
    }
    learn(kGoneLearning, std::string("Herons of the ") + kForbidden);
  }

  void make_stale() {
    remove_session("removed");
    write("memory/" + changed_->file_name(Kind::summary),
          changed_->text(Kind::summary) + "and a line more\n");
    write("memory/" + cut_off_->file_name(Kind::tombstone), "");
    unlink("memory/" + cut_off_->file_name(Kind::tombstone));
    reindex();
    // From here on nobody looks: what the index says is older than the files.
    for (const Kind kind : {Kind::summary, Kind::transcript}) {
      unlink("memory/" + gone_->file_name(kind));
    }
    unlink(learning_path(kGoneLearning));
    daybook::lineage::Tombstone tombstone;
    tombstone.token = daybook::lineage::SessionToken::parse(cut_off_->token()).value();
    tombstone.agent_id = "default";
    tombstone.removed_at = daybook::lineage::Timestamp{clock().now_ms()};
    auto state = open_state();
    REQUIRE(state.tombstones().put(tombstone));
    daybook::state::mark_removed(folder(), {&tombstone, 1});
  }

  static std::string learning_path(int id) {
    return "memory/learnings/" + std::to_string(4'000'000 + id) + "-note.md";
  }
  void learn(int id, const std::string& content, const std::string& fields = {}) const {
    const std::string kind =
        fields.find("learning_kind") == std::string::npos ? "learning_kind: fact\n" : "";
    write(learning_path(id), "---\nkind: learning\n" + kind + fields + "---\n" + content + "\n");
  }

  std::map<std::string, std::string> state_bytes() const {
    std::map<std::string, std::string> bytes;
    for (const char* name : {"state.db", "uses", "lease.db"}) {
      const std::string path = "state/" + std::string(name);
      if (std::filesystem::exists(place().at(path))) {
        bytes[name] = place().read(path);
      }
    }
    return bytes;
  }

  static constexpr int kGoneLearning = 199;
  daybook::parse::Config config_;
  std::string manifest_;
  std::optional<SessionFiles> removed_;
  std::optional<SessionFiles> changed_;
  std::optional<SessionFiles> gone_;
  std::optional<SessionFiles> cut_off_;
  std::vector<std::string> forbidden_;
  std::map<std::string, std::string> bytes_;
};

std::vector<std::string> ids_of(const std::vector<NamedMemory>& list, const std::string& section) {
  std::vector<std::string> ids;
  for (const NamedMemory& memory : list) {
    if (memory.section == section) {
      ids.push_back(memory.id);
    }
  }
  return ids;
}

void check_one(const Vault& vault, const Context& context, std::uint64_t budget) {
  const auto& prompt = context.prompt;
  REQUIRE(prompt.tokens <= budget);
  REQUIRE(prompt.tokens == daybook::recall::estimated_tokens(prompt.text));
  INFO(prompt.text);
  REQUIRE(prompt.text.find(kForbidden) == std::string::npos);
  REQUIRE(prompt.text.empty() == prompt.kept.empty());
  for (const auto* list : {&prompt.kept, &context.omitted}) {
    for (const NamedMemory& memory : *list) {
      INFO(memory.id);
      REQUIRE_FALSE(vault.is_forbidden(memory.id));
    }
  }
}

/// Rank does not depend on the budget: each section is the same list, cut somewhere. Of the first
/// one more room never keeps less.
struct Ranks {
  std::map<std::string, std::vector<std::string>> all;
  std::map<std::uint64_t, std::size_t> learned;

  void check(const Context& context, std::uint64_t budget) {
    for (const char* section : {daybook::recall::kLearnedSection,
                                daybook::recall::kRecoveredSection,
                                daybook::recall::kSessionsSection}) {
      auto ids = ids_of(context.prompt.kept, section);
      const std::size_t kept = ids.size();
      const auto omitted = ids_of(context.prompt.omitted, section);
      ids.insert(ids.end(), omitted.begin(), omitted.end());
      REQUIRE(all.emplace(section, ids).first->second == ids);
      if (section == std::string(daybook::recall::kLearnedSection)) {
        learned[budget] = kept;
      }
    }
  }
  bool is_monotone() const {
    return std::is_sorted(learned.begin(), learned.end(), [](const auto& a, const auto& b) {
      return a.second < b.second;
    });
  }
};

std::vector<std::uint64_t> budgets() {
  std::mt19937 random(20260330);
  std::vector<std::uint64_t> budgets{0, 1, 30, 19'999, 20'000};
  for (int i = 0; i < 35; ++i) {
    budgets.push_back(std::uniform_int_distribution<std::uint64_t>(0, 1500)(random));
    budgets.push_back(std::uniform_int_distribution<std::uint64_t>(0, 20'000)(random));
  }
  return budgets;
}

}  // namespace

TEST_CASE("No context of any budget is too long, or tells what may not be told") {
  const Vault vault;
  for (const std::string query : {"", "watch the heron", "quagga", "do you remember the quagga?"}) {
    for (const std::string name : {"", "now"}) {
      Ranks ranks;
      for (const std::uint64_t budget : budgets()) {
        INFO(query << " | " << name << " | " << budget);
        const Context context = vault.context({{}, query, name, budget, {}, {}});
        check_one(vault, context, budget);
        ranks.check(context, budget);
        if (budget % 3 == 0) {
          REQUIRE(vault.context({{}, query, name, budget, {}, {}}).prompt.text ==
                  context.prompt.text);
        }
      }
      CHECK(ranks.is_monotone());
      INFO(query << " | " << name);
      const Context most = vault.context({{}, query, name, 20'000, {}, {}});
      INFO(most.prompt.text);
      CHECK(most.prompt.omitted.empty());
      CHECK((most.runs == 5) == (name == "now"));
      if (query != "quagga") {
        CHECK(most.prompt.kept.size() >= 8);
      }
    }
  }
  CHECK(vault.state_is_as_it_was());
}
