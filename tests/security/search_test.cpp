// SPDX-License-Identifier: MIT
//
// Whatever is typed is looked for and never run: no query is an error of FTS5 or of SQL, and none
// changes a byte of what it is asked of.
#include "cli/memory_vault.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/search_query.hpp"
#include "security/trial_size.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <random>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using support::IndexedVault;
using support::SessionFiles;

/// The bytes of the index and of the full text.
std::map<std::string, std::string> databases(const support::TempFolder& place) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(place.at("state"))) {
    const std::string name = entry.path().lexically_relative(place.path()).string();
    if (name.starts_with("state/index.db") || name.starts_with("state/text/")) {
      if (entry.is_regular_file() && !name.ends_with("-shm")) {  // locks of readers
        files[name] = place.read(name);
      }
    }
  }
  return files;
}

/// What means something to FTS5, to SQL, to UTF-8 or to a tokeniser.
const std::vector<std::string> kParts{"\"",
                                      "*",
                                      "-",
                                      "+",
                                      "^",
                                      ":",
                                      "(",
                                      ")",
                                      "{",
                                      "}",
                                      "NEAR",
                                      "NEAR(",
                                      "AND",
                                      "OR",
                                      "NOT",
                                      " ",
                                      " ",
                                      " ",
                                      "a",
                                      "b",
                                      "tide",
                                      "body",
                                      "body:",
                                      "sentence",
                                      ",",
                                      "/",
                                      "\\",
                                      "'",
                                      ";",
                                      "%",
                                      "ö",
                                      "潮",
                                      "\xF0\x9F\x8C\x8A",
                                      "\xFF",
                                      "\xC3",
                                      std::string(1, '\0'),
                                      "\n",
                                      "0",
                                      "words",
                                      "rank",
                                      "--",
                                      "\xCC\x81",
                                      "\xEF\xBF\xBF",
                                      "\x7F",
                                      "{sentence body}:",
                                      "^tide",
                                      "tide*",
                                      "NEAR(a b, 2)",
                                      "\"tide gauge\"*",
                                      "' OR 1=1 --",
                                      "\"); DROP TABLE file; --",
                                      "\xE2\x80\xAE",
                                      "[",
                                      "]",
                                      "|",
                                      "&",
                                      "!",
                                      "<",
                                      ">",
                                      "=",
                                      "@",
                                      "#",
                                      "`"};

/// Words that would do something if they ever became SQL.
const std::vector<std::string> kSql{"'; DROP TABLE file; --",
                                    "\" OR \"\"=\"",
                                    "x' UNION SELECT value FROM meta --",
                                    "%",
                                    "_",
                                    "\\",
                                    "1; DELETE FROM session",
                                    "'); ATTACH DATABASE '/tmp/x' AS x; --",
                                    "*/ PRAGMA writable_schema=1 /*",
                                    "default' --",
                                    "key-1' AND '1'='1"};

}  // namespace

TEST_CASE("SQL and FTS: ten thousand odd queries, not one error and not one byte written") {
  IndexedVault vault;
  SessionFiles session("default", "key", "2026-03-20T10:00:00.000Z");
  session.summary.body =
      "tide gauge AND or near NEAR not a b c col body sentence \xE6\xBD\xAE\xE6\xB1\x90 "
      "\xC3\xB6lpumpe x\n";
  vault.add(session);
  vault.reindex();
  const auto before = databases(vault.place());
  REQUIRE(before.size() >= 2);
  const std::string text = vault.folder().file("text");
  auto reader = index::Reader::open(vault.folder().file(index::kIndexFile));
  REQUIRE(reader);
  std::mt19937 random(20260501);  // NOLINT: the same every time
  std::size_t found = 0;
  const std::size_t rounds = trial_size("QUERIES", 10'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string typed;
    const auto size = random() % 12;
    for (std::size_t i = 0; i < size; ++i) {
      typed.append(kParts[random() % kParts.size()]);
    }
    INFO(round << ": " << typed);
    const auto query = index::SearchQuery::parse(typed);
    REQUIRE(query);
    const auto answer = index::search_text(text, reader->meta().index_id, *query, {}, 1000);
    if (!answer) {
      FAIL(answer.error().message);
    }
    found += answer->hits.size();
  }
  CHECK(found > rounds / 100);
  CHECK(databases(vault.place()) == before);
}

TEST_CASE("SQL and FTS: no argument of any command becomes SQL") {
  const MemoryVault vault;
  vault.index();
  const auto before = databases(vault.place());
  const std::string sessions = vault.run({"log", "--all"}).out;
  for (const std::string& text : kSql) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"search", text},
          {"search", "heron", "--project", text},
          {"--agent", text, "search", "heron"},
          {"log", "--project", text},
          {"--agent", text, "log"},
          {"show", text},
          {"open", text, "--print"},
          {"links", text},
          {"unremove", text},
          {"remove", "--session", text, "--reason", text, "--dry-run"},
          {"remove", "--path", "memory/" + text, "--reason", text, "--dry-run"}}) {
      const auto outcome = vault.run(words);
      INFO(words[0] << " " << text << ": " << outcome.out << outcome.err);
      CHECK(outcome.exit_code >= 0);
      CHECK(outcome.exit_code <= 2);
      CHECK_FALSE(contains(outcome.out + outcome.err, "database"));
      CHECK_FALSE(contains(outcome.out, "heron"));  // a word that none of them asks for alone
    }
  }
  CHECK(databases(vault.place()) == before);
  CHECK(vault.run({"log", "--all"}).out == sessions);
}

}  // namespace daybook::test
