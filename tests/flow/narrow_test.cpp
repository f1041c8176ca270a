// SPDX-License-Identifier: MIT
//
// A pass that is told what has changed: the same rows as a rebuild, without a look at the rest.
#include "daybook/index/full_text.hpp"
#include "daybook/index/text_months.hpp"
#include "flow/disturbance.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using flow::disturb;
using flow::Naming;
using flow::session;
using support::IndexedVault;

/// Path -> bytes of every note below memory/.
std::map<std::string, std::string> contents(const IndexedVault& vault) {
  std::map<std::string, std::string> contents;
  for (const std::string& path : flow::notes(vault)) {
    contents[path] = vault.read(path);
  }
  return contents;
}

/// What an honest watcher would tell.
std::vector<std::string> changed_paths(const std::map<std::string, std::string>& before,
                                       const std::map<std::string, std::string>& after) {
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : before) {
    const auto now = after.find(path);
    if (now == after.end() || now->second != bytes) {
      paths.push_back(path);
    }
  }
  for (const auto& [path, bytes] : after) {
    if (!before.contains(path)) {
      paths.push_back(path);
    }
  }
  return paths;
}

std::vector<std::string> hints_of(const support::SessionFiles& added) {
  return {"memory/" + added.summary.name,
          "memory/" + added.transcript.name,
          "memory/" + added.manifest.name};
}

std::string rows_and_ledgers(const IndexedVault& vault) {
  return vault.rows() + vault.memory_md() + vault.memory_md("scribe");
}

IndexedVault& with_sessions(IndexedVault& vault, int count) {
  for (int i = 0; i < count; ++i) {
    vault.add(session(i, Naming::by_path));
  }
  vault.reindex();
  return vault;
}

}  // namespace

TEST_CASE("Rows that another process has written without a publication are published") {
  IndexedVault vault;
  with_sessions(vault, 3);
  const auto added = session(11, Naming::by_path);
  const std::vector<std::string> hints = hints_of(added);
  REQUIRE(vault.follow(hints).narrow);
  vault.add(added);
  // As one that is killed, or finds the disk full, between the rows and MEMORY.md.
  vault.write("daybook.yaml", "publisher: nobody\n");
  vault.reindex();
  REQUIRE(vault.memory_md().find("session=key-11 ") == std::string::npos);
  vault.unlink("daybook.yaml");
  const auto report = vault.follow(hints);
  CHECK(report.narrow);
  CHECK(report.added + report.changed == 0);
  CHECK(vault.memory_md().find("session=key-11 ") != std::string::npos);
  // Once that is done nothing is rendered for nothing.
  CHECK(vault.follow(hints).projections.empty());
}

TEST_CASE("A new session, told file by file, reaches MEMORY.md without a look at the others") {
  IndexedVault vault;
  with_sessions(vault, 6);
  // What nobody tells stays unknown: that is what makes it narrow.
  vault.unlink(flow::notes(vault).front());
  const auto added = session(11, Naming::by_path);
  vault.add(added);
  const auto report = vault.follow(hints_of(added));
  CHECK(report.narrow);
  CHECK(report.added == 3);
  CHECK(report.removed == 0);
  CHECK(vault.memory_md().find("session=key-11 ") != std::string::npos);

  const auto sweep = vault.reindex();
  CHECK(sweep.added == 0);
  CHECK(sweep.removed == 1);
}

TEST_CASE("The full text of what is told follows its rows, and no other month's") {
  IndexedVault vault;
  with_sessions(vault, 3);
  // A month that is behind for another reason, with work that nobody who captures has to wait for.
  constexpr std::int64_t kOther = 24'313;  // 2026-02
  auto index = store::Database::open(vault.folder().file(index::kIndexFile));
  REQUIRE(index);
  REQUIRE(index->execute("INSERT INTO text_month VALUES(24313, 1)"));
  const auto added = session(11, Naming::by_path);
  vault.add(added);
  const auto report = vault.follow(hints_of(added));
  CHECK(report.narrow);
  CHECK(vault.search("gauge11") == std::vector<std::string>{"memory/" + added.summary.name});
  const auto behind = index::TextMonths(*index).marked();
  REQUIRE(behind);
  REQUIRE(behind->size() == 1);
  CHECK(behind->front().month == kOther);
}

TEST_CASE("A month of full text that somebody has altered is made anew before it is gone on with") {
  IndexedVault vault;
  const auto present = session(11, Naming::by_path);
  vault.add(present);
  vault.reindex();
  const fs::path month = fs::directory_iterator(vault.folder().file(index::kTextFolder))->path();
  {
    auto text = store::Database::open(month.string());
    REQUIRE(text);
    REQUIRE(text->execute("INSERT INTO words(words) VALUES('delete-all')"));
  }
  REQUIRE(vault.search("gauge11").empty());
  const auto added = session(13, Naming::by_path);
  vault.add(added);
  REQUIRE(vault.follow(hints_of(added)).narrow);
  CHECK(vault.search("gauge13") == std::vector<std::string>{"memory/" + added.summary.name});
  CHECK(vault.search("gauge11") == std::vector<std::string>{"memory/" + present.summary.name});
}

TEST_CASE("Full text that cannot be made fails no pass: it is told, and made later") {
  IndexedVault vault;
  with_sessions(vault, 3);
  const std::string text = vault.folder().file(index::kTextFolder);
  fs::rename(text, text + "-elsewhere");
  std::ofstream(text) << "no folder";
  const auto added = session(11, Naming::by_path);
  vault.add(added);
  const auto report = vault.follow(hints_of(added));
  CHECK(report.narrow);
  CHECK(vault.memory_md().find("session=key-11 ") != std::string::npos);
  REQUIRE(report.notices.size() == 1);
  CHECK(report.notices.front().starts_with("what is new cannot be found by its words yet: "));
  fs::remove(text);
  fs::rename(text + "-elsewhere", text);
  vault.reindex();
  CHECK(vault.search("gauge11") == std::vector<std::string>{"memory/" + added.summary.name});
}

TEST_CASE("A path that is told though nothing happened to it changes nothing") {
  IndexedVault vault;
  with_sessions(vault, 3);
  const std::string before = rows_and_ledgers(vault);
  const auto known = vault.follow({});
  const auto report = vault.follow({flow::notes(vault).front(), "memory/never-was.md.tmp"});
  CHECK(report.narrow);
  CHECK_FALSE(report.rows_changed);
  CHECK(report.projections.empty());
  CHECK(report.generation == known.generation);
  CHECK(rows_and_ledgers(vault) == before);
}

TEST_CASE("What one session cannot answer takes a whole pass") {
  IndexedVault vault;
  with_sessions(vault, 4);
  const auto missed = session(22, Naming::by_path);
  vault.add(missed);  // nobody tells: only a whole pass finds it
  const auto finds_missed = [&](const std::vector<std::string>& hints) {
    const auto report = vault.follow(hints);
    return !report.narrow && vault.memory_md().find("session=key-22 ") != std::string::npos;
  };
  SECTION("a new note, whose name a link may mean") {
    vault.unlink("memory/" + missed.summary.name);
    vault.unlink("memory/" + missed.transcript.name);
    vault.unlink("memory/" + missed.manifest.name);
    vault.add(session(2, Naming::by_name));
    vault.reindex();
    vault.add(missed);
    vault.write("memory/harbour.md", "# Harbour\n");
    CHECK(finds_missed({"memory/harbour.md"}));
  }
  SECTION("a file where there was a link, of which a finding tells") {
    fs::create_symlink("elsewhere.md", vault.at("memory/linked.md"));
    vault.reindex();
    const auto later = session(23, Naming::by_path);
    vault.add(later);
    fs::remove(vault.at("memory/linked.md"));
    vault.write("memory/linked.md", "# No link\n");
    const auto report = vault.follow({"memory/linked.md"});
    CHECK_FALSE(report.narrow);
    CHECK(vault.memory_md().find("session=key-23 ") != std::string::npos);
  }
  SECTION("a folder") {
    CHECK(finds_missed({"memory/sub/2026-01-01T00-00-00.000Z--aaaaaaaaaaaaaaaa--summary.md"}));
  }
  SECTION("a link by name") {
    auto changed = session(1, Naming::by_name);
    vault.add(changed);
    CHECK(finds_missed({"memory/" + changed.summary.name}));
  }
  SECTION("a tombstone") {
    CHECK(finds_missed({"memory/2026-01-01T00-00-00.000Z--aaaaaaaaaaaaaaaa--tombstone.md"}));
  }
  SECTION("an agent that was not there") {
    const support::SessionFiles other("newcomer", "key-23", flow::captured(23));
    vault.add(other);
    CHECK(finds_missed({"memory/" + other.summary.name}));
  }
  SECTION("no index") {
    vault.delete_state_file("index.db");
    CHECK(finds_missed({flow::notes(vault).front()}));
  }
}

TEST_CASE("A note that comes and goes is followed alone while no link goes by name") {
  IndexedVault vault;
  vault.write("memory/log.md", "See [[memory/harbour.md]] and [[memory/pier.md]].\n");
  with_sessions(vault, 3);
  const auto missed = session(22, Naming::by_path);
  vault.add(missed);  // nobody tells
  const auto agrees_with_sweep = [&vault, &missed] {
    const std::string followed = rows_and_ledgers(vault);
    for (const auto& file : {missed.summary, missed.transcript, missed.manifest}) {
      vault.unlink("memory/" + file.name);
    }
    vault.delete_state_file("index.db");
    vault.reindex();
    return rows_and_ledgers(vault) == followed;
  };
  vault.write("memory/harbour.md", "# Harbour\n");
  const auto came = vault.follow({"memory/harbour.md"});
  CHECK(came.narrow);
  CHECK(came.added == 1);
  SECTION("it came") { CHECK(agrees_with_sweep()); }
  SECTION("and went") {
    vault.unlink("memory/harbour.md");
    const auto went = vault.follow({"memory/harbour.md", "memory/log.md"});
    CHECK(went.narrow);
    CHECK(went.removed == 1);
    CHECK(agrees_with_sweep());
  }
}

TEST_CASE("A session that links to a file that went is judged again") {
  IndexedVault vault;
  with_sessions(vault, 2);
  const auto target = session(0, Naming::by_path);
  auto linking = session(6, Naming::by_path);
  linking.summary.body += "\nBegun in [[memory/" + target.summary.name + "]].\n";
  vault.add(linking);
  vault.reindex();
  const std::string source = "memory/" + linking.summary.name;
  REQUIRE(vault.codes(source).empty());
  vault.unlink("memory/" + target.summary.name);
  vault.follow({"memory/" + target.summary.name});
  CHECK(vault.codes(source) == std::vector<std::string>{"link-missing-target"});
  vault.add(target);
  vault.follow({"memory/" + target.summary.name});
  CHECK(vault.codes(source).empty());
}

TEST_CASE("following what is told equals rebuild after any sequence of changes") {
  int narrow = 0;
  rc::prop("rows and projections agree", [&narrow] {
    IndexedVault vault;
    with_sessions(vault, 5);
    const int rounds = *rc::gen::inRange(1, 5);
    int number = 10;
    for (int round = 0; round < rounds; ++round) {
      const auto before = contents(vault);
      const int changes = *rc::gen::inRange(1, 4);
      for (int i = 0; i < changes; ++i) {
        disturb(vault, ++number, Naming::by_path);
      }
      const std::string note = "memory/note-" + std::to_string(*rc::gen::inRange(0, 3)) + ".md";
      if (before.contains(note)) {
        vault.unlink(note);
      } else if (*rc::gen::inRange(0, 2) == 0) {
        vault.write(note, "See [[memory/note-1.md]], number " + std::to_string(number) + ".\n");
      }
      auto hints = changed_paths(before, contents(vault));
      if (*rc::gen::inRange(0, 3) == 0 && !before.empty()) {
        hints.push_back(before.begin()->first);
      }
      const auto report = vault.follow(hints);
      narrow += report.narrow ? 1 : 0;
    }
    const std::string followed = rows_and_ledgers(vault);
    // Touched files, and names outside of memory/, are not told.
    vault.reindex();
    const std::string swept = rows_and_ledgers(vault);
    vault.delete_state_file("index.db");
    vault.reindex();
    RC_ASSERT(rows_and_ledgers(vault) == swept);
    RC_ASSERT(followed == swept);
  });
  CHECK(narrow > 0);
}

}  // namespace daybook
