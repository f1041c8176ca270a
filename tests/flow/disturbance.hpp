// SPDX-License-Identifier: MIT
//
// Random things that people, agents and synchronisers do to the files of a vault.
#pragma once

#include "support/indexed_vault.hpp"
#include "support/learning_note.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace daybook::flow {

namespace fs = std::filesystem;
using support::IndexedVault;
using support::SessionFiles;

inline std::string captured(int number) {
  return lineage::to_string({support::kTestNow - 86'400'000LL * (number % 40) - number * 61'000LL});
}

enum class Naming { by_name, by_path };

/// Every fifth is another agent's; some have a compaction, some are sealed.
inline SessionFiles session(int number, Naming naming = Naming::by_name) {
  SessionFiles files(
      number % 5 == 0 ? "scribe" : "default", "key-" + std::to_string(number), captured(number));
  files.compaction.present = number % 3 == 0;
  files.summary.body = "# Session " + std::to_string(number) + "\n\nWorked on gauge" +
                       std::to_string(number) +
                       (naming == Naming::by_name ? ".\n\nSee [[Harbour notes]] and [[memory/"
                                                  : ".\n\nSee [[memory/") +
                       files.transcript.name + "|the transcript]].\n";
  if (number % 4 == 0) {
    files.seal();
  }
  return files;
}

inline std::vector<std::string> notes(const IndexedVault& vault) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(vault.at("memory"))) {
    if (entry.is_regular_file()) {
      paths.push_back(entry.path().lexically_relative(vault.workspace()).string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// A note of something learned; a few ids, so that copies and tombstones meet them.
inline support::LearningNote learning(int number) {
  support::LearningNote note;
  note.id = static_cast<std::uint64_t>(1 + number % 4);
  note.content = "Gauge " + std::to_string(number) + " is read at low water.";
  note.fields["learning_kind"] = number % 3 == 0 ? "procedure" : "fact";
  note.fields["agent_id"] = number % 5 == 0 ? "scribe" : "default";
  if (number % 7 == 0) {
    note.fields["status"] = "revoked";
  }
  return note;
}

/// One thing that people, agents and synchronisers do to learning notes.
inline void disturb_learnings(const IndexedVault& vault, int number) {
  const support::LearningNote note = learning(number);
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
    case 1:
      vault.write(note.path(), note.text());
      break;
    case 2:
      vault.write("memory/learnings/copy-" + std::to_string(number % 3) + ".md", note.text());
      break;
    case 3:  // no kind that there is
      vault.write(note.path(), "---\nkind: learning\nlearning_kind: rumour\n---\nText.\n");
      break;
    default: {
      const support::LearningTombstone tombstone{
          note.id, number % 2 == 0 ? "learning" : "revocation", note.fields.at("agent_id"), {}};
      vault.write(tombstone.path(), tombstone.text());
      break;
    }
  }
}

/// One thing that people, agents and synchronisers do to files.
inline void disturb(const IndexedVault& vault, int number, Naming naming = Naming::by_name) {
  const std::vector<std::string> paths = notes(vault);
  const auto any = *rc::gen::inRange<std::size_t>(0, std::max<std::size_t>(paths.size(), 1));
  const std::string path = paths.empty() ? std::string() : paths[any];
  switch (*rc::gen::inRange(0, 13)) {
    case 0:
    case 1:
      vault.add(session(number, naming));
      break;
    case 2:  // an ordinary note, which links may mean
      vault.write("Harbour notes.md", "# Harbour\n");
      break;
    case 3:
      fs::remove(vault.at("Harbour notes.md"));
      break;
    case 4:
      if (!path.empty()) {
        vault.unlink(path);
      }
      break;
    case 5:  // an edit in the body
      if (!path.empty()) {
        vault.write(path, vault.read(path) + "\nAdded later " + std::to_string(number) + ".\n");
      }
      break;
    case 6:  // an edit in the frontmatter
      if (!path.empty()) {
        std::string text = vault.read(path);
        const std::size_t at = text.find("harness: ");
        if (at != std::string::npos) {
          text.insert(at, "extra_" + std::to_string(number) + ": 1\n");
          vault.write(path, text);
        }
      }
      break;
    case 7:  // a move into a sub-folder
      if (!path.empty()) {
        fs::create_directories(vault.at("memory/moved"));
        std::error_code ignored;
        fs::rename(
            vault.at(path), vault.at("memory/moved") + path.substr(path.rfind('/')), ignored);
      }
      break;
    case 8:  // a copy
      if (!path.empty()) {
        vault.write("memory/copies" + path.substr(path.rfind('/')), vault.read(path));
      }
      break;
    case 9:  // a touch
      if (!path.empty()) {
        fs::last_write_time(vault.at(path), fs::file_time_type::clock::now());
      }
      break;
    case 10:
    case 11:
      disturb_learnings(vault, number);
      break;
    default:  // broken
      if (!path.empty()) {
        vault.write(path, vault.read(path).substr(0, 40));
      }
      break;
  }
}

}  // namespace daybook::flow
