// SPDX-License-Identifier: MIT
#include "gauntlet/rows/rebuilt.hpp"

#include "faults/vault_end.hpp"

#include <filesystem>
#include <thread>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using faults::ending;

std::string end(const test::ServedVault& vault, const std::string& state) {
  std::string text;
  for (const fs::path& file : faults::files_below(vault.workspace())) {
    if (file.filename() == "MEMORY.md") {
      text += file.lexically_relative(vault.workspace()).string() + "\n" + faults::bytes_of(file);
    }
  }
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"--json", "log", "--all"},
        {"--json", "check"},
        {"--json", "search", "session"}}) {
    const auto answer = test::run_daybook(vault.words_with(state, question));
    text += faults::without_counters(answer.out) + answer.err;
  }
  return text;
}

}  // namespace

void judge_rebuild(const test::ServedVault& vault, Complaints& complaints) {
  const std::string fresh = vault.place().at("rebuilt");
  fs::remove_all(fresh);
  fs::create_directory(fresh);
  fs::permissions(fresh, fs::perms::owner_all);
  for (const fs::path& file : faults::files_below(vault.state())) {
    const std::string name = file.filename().string();
    if (name.starts_with("state.db") || name == "workspace.json") {
      fs::copy_file(file, fs::path(fresh) / name);
    }
  }
  const std::string seen = end(vault, vault.state());
  const auto rebuilt = test::run_daybook(vault.words_with(fresh, {"reindex", "--full"}));
  if (rebuilt.exit_code != 0) {
    complaints.push_back("C: the rebuild fails, " + ending(rebuilt));
    return;
  }
  const std::string expected = end(vault, fresh);
  // Of as many that are found equally well, a search shows them in any order.
  if (const std::string differs = faults::difference(seen, expected); !differs.empty()) {
    complaints.push_back("C: a rebuild gives something else:" + differs);
  }
}

void judge_leftovers(const test::ServedVault& vault, Complaints& complaints) {
  if (const auto fixed = vault.ask({"doctor", "--fix"}); fixed.signal != 0 || fixed.exit_code > 1) {
    complaints.push_back("A: the doctor fails, " + ending(fixed) + fixed.out);
  }
  for (const std::string& path : vault.leftovers()) {
    complaints.push_back("A: left over: " + path);
  }
}

void put_whole(const test::ServedVault& vault, const support::SessionFiles& session) {
  using lineage::Kind;
  const std::string staged =
      "staged-" + std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id()));
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest}) {
    const support::VaultFile& file = session.file(kind);
    if (file.present) {
      // On the vault's own disk, which may be another than the trial's.
      const std::string name = "vault/.staged/" + staged;
      vault.place().write(name, session.text(kind));
      fs::create_directories(vault.place().at("vault/" + file.folder));
      fs::rename(vault.place().at(name), vault.place().at("vault/" + file.path()));
    }
  }
}

}  // namespace daybook::gauntlet
