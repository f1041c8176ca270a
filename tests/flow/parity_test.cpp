// SPDX-License-Identifier: MIT
//
// The keystone: whatever happens to the files, rows and MEMORY.md are those of a rebuild.
#include "daybook/service/search.hpp"
#include "flow/disturbance.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using flow::disturb;
using flow::session;
using service::Extent;
using support::IndexedVault;
using support::SessionFiles;

// A case is a dozen passes with real syncs: so many are enough for each run, and RC_PARAMS asks for
// more.
const int kCases = ::setenv("RC_PARAMS", "max_success=25", 0);

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

TEST_CASE(
    "full text that somebody has deleted, altered or replaced is made anew by the next pass") {
  IndexedVault vault;
  for (int i = 0; i < 6; ++i) {
    vault.add(session(i));
  }
  vault.reindex();
  const auto month = [&vault] {
    return fs::directory_iterator(vault.folder().file("text"))->path();
  };
  const fs::path first = month();
  const fs::path older = vault.place().at("older.db");
  fs::copy_file(first, older);
  vault.add(session(7));
  vault.reindex();
  const std::string before = everything(vault);
  const fs::path file = fs::exists(first) ? first : month();

  SECTION("deleted") { fs::remove(file); }
  SECTION("all of it") { fs::remove_all(vault.folder().file("text")); }
  SECTION("cut off") { fs::resize_file(file, fs::file_size(file) / 3); }
  SECTION("empty") { fs::resize_file(file, 0); }
  SECTION("an older one") { fs::copy_file(older, file, fs::copy_options::overwrite_existing); }
  vault.reindex();
  CHECK(everything(vault) == before);
  CHECK(vault.reindex().added == 0);
  CHECK(everything(vault) == before);
}

TEST_CASE("what equals in a search comes in one order, in whichever order it was indexed") {
  IndexedVault vault;
  std::vector<SessionFiles> twins;
  for (const char* key : {"twin-1", "twin-2", "twin-3", "twin-4"}) {
    twins.emplace_back("default", key, "2026-03-28T10:00:00.000Z");
    twins.back().summary.body = "# A twin\n\nThe walrus was seen.\n";
  }
  std::sort(twins.begin(), twins.end(), [](const SessionFiles& a, const SessionFiles& b) {
    return a.summary.name > b.summary.name;
  });
  for (const SessionFiles& twin : twins) {
    vault.add(twin);
    vault.reindex();
  }
  const auto found = [&vault] {
    service::SearchRequest request;
    request.query = "walrus";
    request.limit = 3;
    const auto report = service::search(base::real_disk(), vault.folder(), request);
    REQUIRE(report);
    std::vector<std::string> paths;
    for (const service::SearchResult& result : report->results) {
      CHECK(result.score == report->results.front().score);
      paths.push_back(result.path);
    }
    return paths;
  };
  const auto paths = found();
  REQUIRE(paths.size() == 3);
  CHECK(std::is_sorted(paths.begin(), paths.end()));
  CHECK(paths.front() == "memory/" + twins.back().summary.name);
  vault.reindex(Extent::everything);
  CHECK(found() == paths);
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

TEST_CASE("incremental equals rebuild after any sequence of changes to what was learned") {
  rc::prop("rows and projections agree", [] {
    IndexedVault vault;
    vault.add(session(1));
    vault.reindex();
    int number = *rc::gen::inRange(0, 100);
    const int rounds = *rc::gen::inRange(1, 4);
    for (int round = 0; round < rounds; ++round) {
      const int changes = *rc::gen::inRange(1, 5);
      for (int i = 0; i < changes; ++i) {
        flow::disturb_learnings(vault, number += *rc::gen::inRange(1, 9));
      }
      const auto paths = flow::notes(vault);
      if (*rc::gen::inRange(0, 3) == 0) {
        vault.unlink(paths[*rc::gen::inRange<std::size_t>(0, paths.size())]);
      }
      vault.reindex();
    }
    const std::string incremental = everything(vault);
    vault.delete_state_file("index.db");
    vault.reindex();
    RC_ASSERT(everything(vault) == incremental);
  });
}

}  // namespace daybook
