// SPDX-License-Identifier: MIT
#include "faults/operations.hpp"

#include "support/vault_builder.hpp"

#include <filesystem>
#include <stdexcept>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;

constexpr const char* kVault = "live/vault";
constexpr int kNothingToDo = 2;
constexpr const char* kSecretBody = "quartzlantern";
constexpr const char* kSecretSpeech = "emberthistle";
constexpr const char* kSecretSentence =
    "Moved the saffronharbour token out of the deploy script and into the vault of the team.";

void must(const Bench& bench, const std::vector<std::string>& arguments) {
  const auto outcome = bench.run(arguments);
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

/// One of this device: its manifest is written after publications.
SessionFiles own_session(const Bench& bench, int number) {
  const std::string record = bench.place().read("live/state/workspace.json");
  const std::size_t at = record.find("\"device\"");
  const std::size_t begin = record.find('"', record.find(':', at)) + 1;
  SessionFiles files = session(number);
  files.manifest.fields.set_text("device", record.substr(begin, record.find('"', begin) - begin));
  files.manifest.fields.set("memory_md_refs", "[]");
  return files;
}

void write_vault(const Bench& bench) {
  must(bench, {"reindex"});
  own_session(bench, 2).write(bench.place(), kVault);
  session(3).write(bench.place(), kVault);
}

/// With copies of what goes in replaced/ and in trash/.
void write_vault_with_secret(const Bench& bench) {
  secret_session().write(bench.place(), kVault);
  write_vault(bench);
  must(bench, {"reindex"});
  const std::string memory = bench.place().read("live/vault/MEMORY.md");
  bench.place().write("live/vault/MEMORY.sync-conflict-20260328-223406-ABCDEFG.md", memory);
  must(bench, {"conflicts", "resolve", "--yes"});
  bench.place().write("live/vault/MEMORY.md", memory + "\nAdded by hand.\n");
  must(bench, {"reindex"});
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
    own_session(bench, 4).write(bench.place(), kVault);
    SessionFiles changed = own_session(bench, 2);
    changed.manifest.fields.set_text("project", "/home/dev/boats");
    changed.write(bench.place(), kVault);
  };
  return {"reindexing", prepare, {"reindex"}};
}

}  // namespace daybook::faults
