// SPDX-License-Identifier: MIT
//
// Whoever lists notes and whoever indexes them must mean the same ones, and say the same of them,
// whatever is wrong with a file.
#include "daybook/index/reader.hpp"
#include "learn/bench.hpp"
#include "support/indexed_vault.hpp"
#include "support/learning_note.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace daybook::learn {
namespace {

using support::IndexedVault;

const parse::Config kConfig;

Desk desk_of(const IndexedVault& vault) {
  return {base::real_disk(), vault.folder(), kConfig, {support::kTestNow}};
}

void write(const IndexedVault& vault, const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories(std::filesystem::path(vault.at(path)).parent_path());
  vault.write(path, bytes);
}

std::string note(const std::string& fields, const std::string& body) {
  return "---\n" + fields + "---\n" + body + "\n";
}

std::string line_of(const std::string& path, const lineage::Learning& learning) {
  return path + " " + std::to_string(learning.id) + " " + std::string(to_string(learning.status)) +
         " " + std::string(to_string(learning.origin)) + " " + learning.agent_id + " " +
         learning.content;
}

std::multiset<std::string> listed(const IndexedVault& vault) {
  std::multiset<std::string> lines;
  const auto notes = list(desk_of(vault), {{}, {}, {}, true});
  REQUIRE(notes.ok());
  for (const Note& one : *notes) {
    lines.insert(line_of(one.path, one.learning));
  }
  return lines;
}

std::multiset<std::string> indexed(const IndexedVault& vault) {
  auto reader = index::Reader::open(vault.folder().file(index::kIndexFile));
  REQUIRE(reader);
  std::multiset<std::string> lines;
  REQUIRE(reader->learnings({}, [&lines](const index::LearningRow& row) {
    lines.insert(line_of(row.path, row.learning));
    return store::Visit::next;
  }));
  return lines;
}

std::string nested(int folders) {
  std::string path = "memory/learnings/";
  for (int i = 0; i < folders; ++i) {
    path += "d/";
  }
  return path;
}

/// Paths below memory/learnings/ and what is wrong with the note there, if anything.
std::vector<std::pair<std::string, std::string>> corpus() {
  const std::string fact = "kind: learning\nlearning_kind: fact\n";
  const std::string token = lineage::SessionToken::derive("default", "key").to_string();
  const std::string artifact = "2026-03-28T22-34-06.792Z--" + token;
  const std::string top = "memory/learnings/";
  return {{top + "1-right.md", note(fact, "Right.")},
          {top + "1-twice.md", note("learning_kind: procedure\n", "The same id.")},
          {top + "1-right (conflicted copy 2026-01-01).md", note(fact, "Wrong text.")},
          {top + "2-copy (conflicted copy 2026-01-01).md", note(fact, "A copy alone.")},
          {top + "2-copy.sync-conflict-20260101-101010-ABCDEFG.md", note(fact, "Another one.")},
          {top + artifact + "--summary.md", note(fact, "Named as a summary.")},
          {top + artifact + "--blah.md", note(fact, "Named as nothing that exists.")},
          {top + "2026--nothing--summary.md", note(fact, "Named nearly as a summary.")},
          {top + "3-secret.md", note(fact, "password: hunter2hunter2")},
          {top + "4-secret.md",
           note(fact + "category: ghp_1234567890abcdefghijABCDEFGHIJ123456\n", "A category.")},
          {top + "5-odd.md", note(fact + "status: active\npublish_tier: provisional\n", "Odd.")},
          {top + "6-daemon.md", note(fact + "origin: daemon\n", "Not believed.")},
          {top + "7-\xff.md", note(fact, "A name that is no UTF-8.")},
          {top + "\xff/8-below.md", note(fact, "Nor is that of its folder.")},
          {top + "9-bytes.md", note(fact, "\xff\xfe")},
          {top + "10-empty.md", note(fact, "")},
          {top + "11-long.md", note(fact, std::string(1601, 'a'))},
          {top + "12-wide.md", note(fact, std::string(600'000, ' ') + "Far away.")},
          {top + "13-yaml.md", note(fact + ": [\n", "Broken.")},
          {top + "14-twice.md", note(fact + "learning_kind: fact\n", "A key twice.")},
          {top + "15-agent.md", note(fact + "agent_id: a/b\n", "Nobody.")},
          {top + "16-other.md", note(fact + "agent_id: other\n", "Another's.")},
          {top + "17-kind.md", note("kind: note\nlearning_kind: fact\n", "No learning.")},
          {top + "18-draft.md", "A draft.\n"},
          {top + "19-bom.md", "\xEF\xBB\xBF" + note(fact, "Behind a mark.")},
          {top + "20-lines.md", "---\r\nlearning_kind: fact\r\n---\r\n\r\nOther ends.\r\n"},
          {top + ".hidden/21-hidden.md", note(fact, "Hidden.")},
          {top + "22-upper.MD", note(fact, "Another extension.")},
          {top + "no number.md", note(fact, "By its path.")},
          {nested(33) + "23-deep.md", note(fact, "Deep.")},
          {nested(63) + "24-deepest.md", note(fact, "As deep as may be.")},
          {nested(64) + "25-too-deep.md", note(fact, "Too deep.")}};
}

}  // namespace

TEST_CASE("What is listed is what the index has, whatever is wrong with a note") {
  IndexedVault vault;
  std::filesystem::create_directories(vault.at("memory/learnings"));
  for (const auto& [path, bytes] : corpus()) {
    write(vault, path, bytes);
  }
  vault.reindex();
  const auto known = indexed(vault);
  CHECK(known.size() >= 8);
  CHECK(listed(vault) == known);
}

TEST_CASE("A copy of what was forgotten is out of list and index, whatever blanks are before it") {
  IndexedVault vault;
  const std::string top = "memory/learnings/";
  const std::string before = GENERATE("\n\n\n", " ", "\r\n\t ");
  const std::string content = "Pier 7.";
  write(vault, top + "1-pier.md", note("learning_kind: fact\n", content));
  const std::string copy = note("learning_kind: fact\n", before + content);
  const auto forget_it = [&] { REQUIRE(forget(desk_of(vault), {"default", 1}, "stale").ok()); };
  SECTION("that comes later") {
    forget_it();
    write(vault, top + "copy.md", copy);
    vault.reindex();
  }
  SECTION("that the index knew before") {
    write(vault, top + "copy.md", copy);
    vault.reindex();
    REQUIRE(indexed(vault).size() == 2);
    // As a synchroniser brings it: no file changes, so that only the row can tell.
    support::LearningTombstone tombstone;
    tombstone.said = content;
    vault.write(tombstone.path(), tombstone.text());
    vault.reindex();
  }
  CHECK(listed(vault).empty());
  CHECK(indexed(vault).empty());
  CHECK(vault.codes(top + "copy.md") == std::vector<std::string>{"removed-content-present"});
  CHECK(vault.memory_md().find(content) == std::string::npos);
}

}  // namespace daybook::learn
