// SPDX-License-Identifier: MIT
#include "faults/operations.hpp"

#include "daybook/lineage/session_token.hpp"
#include "support/made_history.hpp"
#include "support/vault_builder.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;

constexpr const char* kVault = "live/vault";
constexpr int kNothingToDo = 2;
constexpr std::size_t kKeptFiles = 8;
constexpr const char* kSecretBody = "quartzlantern";
constexpr const char* kSecretSpeech = "emberthistle";
constexpr const char* kSecretSpooled = "cobaltferry";
constexpr const char* kEditedByHand = "hazelbeacon";
constexpr const char* kSecretLearned = "amberlantern";
constexpr const char* kConflictCopy = "live/vault/MEMORY.sync-conflict-20260328-223406-ABCDEFG.md";
constexpr const char* kSecretSentence =
    "Moved the saffronharbour token out of the deploy script and into the vault of the team.";

constexpr const char* kEnded =
    R"({"session_id":"run-1","project":"/home/dev/tidewater","harness":"codex",)"
    R"("transcript":"User: mend src/tide.cpp\n\nAssistant: done\n",)"
    R"("summary":"# Mended\n\nThe table in src/tide.cpp is right again.\n"})";
constexpr const char* kResumed =
    R"({"session_id":"run-1","project":"/home/dev/tidewater","harness":"codex",)"
    R"("transcript":"User: mend src/tide.cpp\n\nAssistant: done\n\nUser: and src/moon.cpp\n",)"
    R"("captured_at":"2026-03-30T11:59:00.000Z"})";
constexpr const char* kCompacted =
    R"({"session_id":"run-1","text":"The work on src/tide.cpp so far: it is mended."})";

void must(const Bench& bench,
          const std::vector<std::string>& arguments,
          const std::string& input = {}) {
  if (!input.empty()) {
    bench.place().write("prepared", input);
  }
  const auto outcome =
      bench.run(arguments, {}, input.empty() ? std::string() : bench.place().at("prepared"));
  if (outcome.exit_code != 0) {
    throw std::runtime_error("preparing: daybook " + arguments.front() + ": " + outcome.err);
  }
}

SessionFiles session(int number) {
  SessionFiles files("default",
                     "key-" + std::to_string(number),
                     "2026-03-2" + std::to_string(number) + "T10:00:00.000Z");
  files.seal();
  return files;
}

/// One whose words are nowhere else.
SessionFiles secret_session() {
  SessionFiles files = session(1);
  files.summary.body = std::string("# The session\n\nLit the ") + kSecretBody +
                       " in the harbour, so that every boat finds home at night.\n";
  files.transcript.body = std::string("## user\n\nWhere is the ") + kSecretSpeech +
                          " of this session, and who has put it there?\n";
  files.summary.fields.set_text("memory_sentence", kSecretSentence);
  files.seal();
  return files;
}

/// Three sessions, one of them of this device, so that its manifest is written after publications.
void write_vault(const Bench& bench) {
  must(bench, {"reindex"});
  const std::string record = bench.place().read("live/state/workspace.json");
  const std::size_t at = record.find("\"device\"");
  const std::size_t begin = record.find('"', record.find(':', at)) + 1;
  SessionFiles own = session(2);
  own.manifest.fields.set_text("device", record.substr(begin, record.find('"', begin) - begin));
  own.write(bench.place(), kVault);
  session(3).write(bench.place(), kVault);
}

/// With copies of what goes in replaced/ and in trash/.
void write_vault_with_secret(const Bench& bench) {
  secret_session().write(bench.place(), kVault);
  write_vault(bench);
  must(bench, {"reindex"});
  const std::string memory = bench.place().read("live/vault/MEMORY.md");
  bench.place().write(kConflictCopy, memory);
  must(bench, {"conflicts", "resolve", "--yes"});
  bench.place().write("live/vault/MEMORY.md", memory + "\nAdded by hand.\n");
  must(bench, {"reindex"});
}

/// As `learnings import` takes them; with ids of their own, so that each time the same files are
/// made.
std::string learnings(const std::vector<int>& ids) {
  std::string json;
  for (const int id : ids) {
    json += (json.empty() ? "[" : ",") + std::string(R"({"id": )") + std::to_string(id) +
            R"(, "learning_kind": "fact", "content": "The )" + kSecretLearned + " of pier " +
            std::to_string(id) + R"( is lit by the watch at dusk, and put out by the next one.",)" +
            R"( "created_at": "2026-03-20T10:00:00.000Z"})";
  }
  return json + "]";
}

/// One that MEMORY.md and a copy of it in replaced/ quote.
void write_vault_with_learning(const Bench& bench) {
  write_vault(bench);
  must(bench, {"learnings", "import", "-"}, learnings({21}));
  const std::string memory = bench.place().read("live/vault/MEMORY.md");
  bench.place().write("live/vault/MEMORY.md", memory + "\nAdded by another hand.\n");
  must(bench, {"reindex"});
}

/// Kept by both harnesses, below live/ so that reading them can fail as well.
void write_history(const Bench& bench) {
  support::HistoryPlan plan;
  plan.files = kKeptFiles;
  plan.turns = 2;
  plan.huge_every = 0;
  const auto made = support::make_history(bench.place().at("live/history"), plan);
  if (std::none_of(made.begin(), made.end(), [](const auto& one) {
        return !one.parent_session_id.empty();
      })) {
    throw std::runtime_error("preparing: there is no sub-agent");
  }
}

/// A session's end whose transcript is gone afterwards: what the hook kept is all there is.
void leave_by_hook(const Bench& bench, const std::string& said) {
  bench.place().write(
      "s-1.jsonl",
      R"({"type":"user","sessionId":"s-1","message":{"role":"user","content":")" + said + "\"}}\n");
  must(bench,
       {"hook", "claude-code"},
       R"({"hook_event_name":"SessionEnd","session_id":"s-1","transcript_path":")" +
           bench.place().at("s-1.jsonl") + "\"}");
  fs::remove(bench.place().at("s-1.jsonl"));
}

Operation import_of(const std::string& harness, const std::string& home) {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    write_history(bench);
  };
  Operation operation{home + " import", prepare, {"import", harness, "history/" + home}};
  operation.parts = Parts::sessions;
  return operation;
}

}  // namespace

Operation removal() {
  return {"removal",
          write_vault_with_secret,
          {"remove", "--session", "key-1", "--reason", "held a password", "--yes"},
          {},
          {kSecretBody, kSecretSpeech, "saffronharbour"},
          kNothingToDo};
}

Operation unremoval() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    must(bench, {"remove", "--session", "key-1", "--reason", "held a password", "--yes"});
    secret_session().write(bench.place(), kVault);
  };
  return {"unremoval", prepare, {"unremove", secret_session().token()}, {}, {}, kNothingToDo};
}

Operation acceptance() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    SessionFiles changed = secret_session();
    changed.summary.body += "\nA line that was added later.\n";
    changed.write(bench.place(), kVault);
    must(bench, {"reindex"});
  };
  return {"acceptance",
          prepare,
          {"accept", "--reason", "meant so", secret_session().summary.path()},
          {},
          {},
          kNothingToDo};
}

Operation reindexing() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    for (const auto& entry : fs::directory_iterator(bench.vault() + "/memory")) {
      if (entry.path().filename().string().find(session(3).token()) != std::string::npos) {
        fs::remove(entry.path());
      }
    }
    session(4).write(bench.place(), kVault);
    SessionFiles changed = session(2);
    changed.manifest.fields.set_text("project", "/home/dev/boats");
    changed.write(bench.place(), kVault);
  };
  return {"reindexing", prepare, {"reindex"}};
}

Operation rebuilding() { return {"rebuilding", write_vault_with_secret, {"reindex", "--full"}}; }

Operation arrival() {
  const auto prepare = [](Bench& bench) { write_vault(bench); };
  Operation operation{"arrival", prepare, {"reindex"}};
  operation.begin = [](const Bench& bench) {
    must(bench, {"reindex"});
    session(4).write(bench.place(), kVault);
  };
  operation.makes_text = true;
  return operation;
}

Operation session_end() {
  return {"session end", write_vault_with_secret, {"capture", "session-end"}, kEnded};
}

Operation resumed_session() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    must(bench, {"capture", "session-end"}, kEnded);
  };
  return {"resumed session", prepare, {"capture", "session-end"}, kResumed};
}

Operation resumed_elsewhere() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    must(bench, {"capture", "session-end"}, kEnded);
    const fs::path memory = fs::path(bench.vault()) / "memory";
    const std::string manifest =
        lineage::SessionToken::derive("default", "run-1").to_string() + "--manifest.md";
    fs::create_directory(memory / "kept");
    for (const auto& entry : fs::directory_iterator(memory)) {
      if (entry.path().string().ends_with(manifest)) {
        fs::rename(entry.path(), memory / "kept" / entry.path().filename());
        break;
      }
    }
    must(bench, {"reindex"});
  };
  return {"resumed elsewhere", prepare, {"capture", "session-end"}, kResumed};
}

Operation compaction() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    must(bench, {"capture", "session-end"}, kEnded);
  };
  return {"compaction", prepare, {"capture", "compaction"}, kCompacted};
}

Operation draining() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    leave_by_hook(bench, "Mend src/tide.cpp.");
  };
  // Run once more it must find what the hook left, or what became of it.
  Operation operation{"draining", prepare, {"capture", "drain"}};
  operation.parts = Parts::sessions;
  return operation;
}

Operation removal_of_spooled() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    leave_by_hook(bench, "Mend src/tide.cpp.");
    must(bench, {"capture", "drain"});
    leave_by_hook(bench, std::string("And light the ") + kSecretSpooled + " again.");
  };
  return {"removal of spooled",
          prepare,
          {"remove", "--session", "s-1", "--reason", "held a password", "--yes"},
          {},
          {kSecretSpooled},
          kNothingToDo};
}

Operation conflict_resolving() {
  const auto prepare = [](Bench& bench) {
    write_vault_with_secret(bench);
    // The trash has one of this name and time: another folder is made for this one.
    bench.place().write(
        kConflictCopy,
        bench.place().read("live/vault/MEMORY.md") + "\nLit the " + kEditedByHand + " by hand.\n");
  };
  Operation operation{"conflict resolving", prepare, {"conflicts", "resolve", "--yes"}};
  operation.kept = {kEditedByHand};
  return operation;
}

Operation remembering() {
  Operation operation{"remembering",
                      write_vault_with_secret,
                      {"learnings", "import", "-"},
                      learnings({22, 23, 24})};
  operation.parts = Parts::sessions;
  return operation;
}

Operation forgetting() {
  return {"forgetting",
          write_vault_with_learning,
          {"learnings", "forget", "21", "--reason", "gone stale", "--yes"},
          {},
          {kSecretLearned},
          kNothingToDo};
}

Operation revoking() {
  return {"revoking",
          write_vault_with_learning,
          {"learnings", "revoke", "21", "--reason", "gone stale"}};
}

Operation import_of_claude() { return import_of("claude-code", "claude"); }

Operation import_of_codex() { return import_of("codex", "codex"); }

}  // namespace daybook::faults
