// SPDX-License-Identifier: MIT
//
// The keystone: whatever happens to the files, rows and MEMORY.md are those of a rebuild.
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <cstdlib>
#include <filesystem>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;
using service::Extent;
using support::IndexedVault;
using support::SessionFiles;

// A case is a dozen passes with real syncs: so many are enough for each run, and RC_PARAMS asks for
// more.
const int kCases = ::setenv("RC_PARAMS", "max_success=25", 0);

std::string captured(int number) {
  return lineage::to_string({support::kTestNow - 86'400'000LL * (number % 40) - number * 61'000LL});
}

SessionFiles session(int number) {
  SessionFiles files(
      number % 5 == 0 ? "scribe" : "default", "key-" + std::to_string(number), captured(number));
  files.compaction.present = number % 3 == 0;
  files.summary.body = "# Session " + std::to_string(number) + "\n\nWorked on gauge" +
                       std::to_string(number) + ".\n\nSee [[Harbour notes]] and [[memory/" +
                       files.transcript.name + "|the transcript]].\n";
  if (number % 4 == 0) {
    files.seal();
  }
  return files;
}

/// Rows, every projection, and what a few searches find.
std::string everything(IndexedVault& vault) {
  std::string text = vault.rows();
  for (const char* agent : {"default", "scribe"}) {
    text.append("== ").append(agent).append("\n").append(vault.memory_md(agent));
  }
  for (const char* words : {"session", "gauge3", "tidewater", "readings"}) {
    text.append("== ").append(words).append("\n");
    for (const std::string& path : vault.search(words)) {
      text.append(path).append("\n");
    }
  }
  return text;
}

std::vector<std::string> notes(const IndexedVault& vault) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(vault.at("memory"))) {
    if (entry.is_regular_file()) {
      paths.push_back(entry.path().lexically_relative(vault.workspace()).string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// One thing that people, agents and synchronisers do to files.
void disturb(const IndexedVault& vault, int number) {
  const std::vector<std::string> paths = notes(vault);
  const auto any = *rc::gen::inRange<std::size_t>(0, std::max<std::size_t>(paths.size(), 1));
  const std::string path = paths.empty() ? std::string() : paths[any];
  switch (*rc::gen::inRange(0, 11)) {
    case 0:
    case 1:
      vault.add(session(number));
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
    default:  // broken
      if (!path.empty()) {
        vault.write(path, vault.read(path).substr(0, 40));
      }
      break;
  }
}

}  // namespace

TEST_CASE("re-index parity: rows and MEMORY.md are rebuilt from markdown alone") {
  IndexedVault vault;
  for (int i = 0; i < 12; ++i) {
    vault.add(session(i));
  }
  vault.write("Harbour notes.md", "# Harbour\n");
  const auto first = vault.reindex();
  CHECK(first.sessions == 12);
  CHECK(first.added == first.scanned);
  const std::string before = everything(vault);
  CHECK(vault.search("gauge3").size() == 1);

  SECTION("again") { vault.reindex(); }
  SECTION("reading everything") { vault.reindex(Extent::everything); }
  SECTION("with the index deleted") {
    vault.delete_state_file("index.db");
    CHECK(vault.reindex().added == first.added);
  }
  SECTION("with another state folder") {
    vault.use_state("elsewhere");
    vault.reindex();
  }
  SECTION("with the full text deleted") {
    fs::remove_all(vault.folder().file("text"));
    vault.reindex(Extent::everything);
  }
  CHECK(everything(vault) == before);
}

TEST_CASE("nothing changed: nothing is read, written or published, and the generation stays") {
  IndexedVault vault;
  for (int i = 0; i < 6; ++i) {
    vault.add(session(i));
  }
  vault.reindex();
  vault.reindex();  // MEMORY.md itself is a name that links may mean
  const auto before = vault.reindex();
  const auto after = vault.reindex();
  CHECK(after.added + after.changed + after.removed == 0);
  CHECK(after.generation == before.generation);
  for (const auto& projection : after.projections) {
    CHECK_FALSE(projection.written);
  }
}

TEST_CASE("incremental equals rebuild after any sequence of changes") {
  rc::prop("rows, projections and searches agree", [] {
    IndexedVault vault;
    for (int i = 0; i < 4; ++i) {
      vault.add(session(i));
    }
    vault.reindex();
    // Without seals a rebuild elsewhere would see a changed file as a new one, so the comparison is
    // with this device's own seals and another index.
    const int rounds = *rc::gen::inRange(1, 4);
    int number = 10;
    for (int round = 0; round < rounds; ++round) {
      const int changes = *rc::gen::inRange(1, 5);
      for (int i = 0; i < changes; ++i) {
        disturb(vault, ++number);
      }
      vault.reindex();
    }
    const std::string incremental = everything(vault);
    vault.delete_state_file("index.db");
    vault.reindex();
    RC_ASSERT(everything(vault) == incremental);
    vault.reindex(Extent::everything);
    RC_ASSERT(everything(vault) == incremental);
  });
}

}  // namespace daybook
