// SPDX-License-Identifier: MIT
#include "gauntlet/random_vault.hpp"

#include "daybook/doctor/doctor.hpp"
#include "faults/vault_end.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using support::IndexedVault;
using support::SessionFiles;

constexpr std::array kAgents{"default", "scribe"};
constexpr std::array kWords{"tide",
                            "harbour",
                            "table",
                            "lantern",
                            "mooring",
                            "ledger",
                            "compass",
                            "rope",
                            "gull",
                            "gauge",
                            "sluice",
                            "pier",
                            "beacon",
                            "chart",
                            "anchor",
                            "readings"};
constexpr std::int64_t kDay = 86'400'000;

}  // namespace

std::string RandomVault::prose(std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text.append(i % 12 == 11 ? ".\n\n" : i == 0 ? "" : " ");
    text.append(kWords.at(below(kWords.size())));
  }
  return text + ".\n";
}

SessionFiles RandomVault::session(int number) {
  const std::string text = std::to_string(number);
  const std::int64_t ago = static_cast<std::int64_t>(below(40)) * kDay + 60'000LL * number;
  SessionFiles files(one_in(4) ? "scribe" : "default",
                     "key-" + text,
                     lineage::to_string({support::kTestNow - 1'000 - ago}));
  files.compaction.present = one_in(3);
  files.summary.body = "# Session " + text + "\n\nWorked on gauge" + text + ". " +
                       prose(10 + below(60)) + (one_in(2) ? "\nSee [[Harbour notes]].\n" : "") +
                       "\nAnd [[memory/" + files.transcript.name + "|the transcript]].\n";
  files.transcript.body = "## User\n\n" + prose(20 + below(200));
  files.set_everywhere("project", "\"/home/dev/" + std::string(kWords.at(below(4))) + "\"");
  if (one_in(2)) {
    files.seal();
  }
  return files;
}

std::vector<SessionFiles> RandomVault::add_sessions(int count, int first) {
  std::vector<SessionFiles> sessions;
  for (int number = first; number < first + count; ++number) {
    sessions.push_back(session(number));
    add(sessions.back());
  }
  return sessions;
}

void RandomVault::add_notes() {
  if (one_in(2)) {
    write("Harbour notes.md", "# Harbour\n");
  }
  for (std::uint64_t i = below(4); i > 0; --i) {
    write("memory/note " + std::to_string(i) + ".md", "# A note\n\n" + prose(30));
  }
}

void RandomVault::treat() {
  doctor::DoctorRequest request;
  request.workspace = fs::canonical(workspace()).string();
  request.state_path = folder().path();
  request.system = doctor::this_system();
  request.depth = doctor::Depth::everything;
  service::WorkProgress progress;
  const base::FixedClock at = clock();
  doctor::treat(base::real_disk(),
                at,
                request,
                doctor::examine(base::real_disk(), at, request, progress),
                progress);
}

std::string everything(const IndexedVault& vault) {
  std::string text = vault.rows();
  for (const char* agent : kAgents) {
    text.append("== ").append(agent).append("\n").append(vault.memory_md(agent));
  }
  for (const char* words : {"session", "gauge1", "harbour tide", "readings"}) {
    text.append("== ").append(words).append("\n");
    for (const std::string& path : vault.search(words)) {
      text.append(words).append(" in ").append(path).append("\n");
    }
  }
  return text;
}

void judge_rebuild(IndexedVault& vault, Complaints& complaints) {
  const std::string seen = everything(vault);
  vault.delete_state_file("index.db");
  fs::remove_all(vault.folder().file("text"));
  vault.reindex();
  if (const std::string expected = everything(vault); expected != seen) {
    complaints.push_back("C: a rebuild gives something else:" + faults::difference(seen, expected));
  }
}

void judge_gone(const IndexedVault& vault, const std::string& word, Complaints& complaints) {
  for (const std::string& file : vault.state_files_with(word)) {
    complaints.push_back("T: '" + word + "' is in " + file + " of the state folder");
  }
  for (const char* agent : kAgents) {
    if (vault.memory_md(agent).find(word) != std::string::npos) {
      complaints.push_back("T: '" + word + "' is in MEMORY.md of " + agent);
    }
  }
  for (const std::string& path : vault.search(word)) {
    complaints.push_back("T: a search for '" + word + "' finds " + path);
  }
  if (vault.rows().find(word) != std::string::npos) {
    complaints.push_back("T: '" + word + "' is in a row");
  }
}

std::map<std::string, std::string> bytes_below(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path().lexically_relative(folder).string()] = {std::istreambuf_iterator<char>(file),
                                                               std::istreambuf_iterator<char>()};
    }
  }
  return all;
}

}  // namespace daybook::gauntlet
