// SPDX-License-Identifier: MIT
#include "daybook/store/fts5.hpp"

#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace {

using daybook::store::Database;
using daybook::store::Row;
using daybook::store::Visit;
using daybook::store::WordSplitter;
using daybook::support::TempFolder;
using Numbers = std::vector<std::uint32_t>;

Numbers numbers_in(std::string_view blob) {
  Numbers numbers(blob.size() / sizeof(std::uint32_t));
  std::memcpy(numbers.data(), blob.data(), blob.size());
  return numbers;
}

}  // namespace

TEST_CASE("Text is divided into folded words with their places") {
  auto splitter = WordSplitter::make();
  REQUIRE(splitter);
  std::vector<std::string> words;
  const std::string text = "Die Ölpumpe: a-b";
  REQUIRE(splitter->each(text, [&](std::string_view word, std::size_t begin, std::size_t end) {
    words.push_back(std::string(word).append("=").append(text.substr(begin, end - begin)));
  }));
  CHECK(words == std::vector<std::string>{"die=Die", "olpumpe=Ölpumpe", "a=a", "b=b"});
  words.clear();
  REQUIRE(splitter->each(
      "", [&](std::string_view word, std::size_t, std::size_t) { words.emplace_back(word); }));
  CHECK(words.empty());
}

TEST_CASE("A visit may stop at a word, and the splitter goes on with another text") {
  auto splitter = WordSplitter::make();
  REQUIRE(splitter);
  int seen = 0;
  const auto count = [&seen](std::string_view, std::size_t, std::size_t) {
    return ++seen == 2 ? Visit::stop : Visit::next;
  };
  CHECK(splitter->each("one two three", count));
  CHECK(seen == 2);
  CHECK(splitter->each("four", count));
  CHECK(seen == 3);
}

TEST_CASE("Phrases are counted in each column, and once for the whole table") {
  const TempFolder folder;
  Database database = Database::open(folder.at("a.db")).value();
  REQUIRE(database.execute(
      "CREATE VIRTUAL TABLE t USING fts5(a, b, content='');"
      "INSERT INTO t(rowid, a, b) VALUES(1, 'x y x', 'x'), (2, 'y', 'z x'), (3, 'y', 'y')"));
  REQUIRE(daybook::store::add_phrase_counts(database));
  auto select = database.prepare("SELECT phrase_counts(t) FROM t WHERE t MATCH ? ORDER BY rowid");
  REQUIRE(select);
  std::vector<Numbers> rows;
  const auto read = [&rows](const Row& row) { rows.push_back(numbers_in(row.blob(0))); };
  REQUIRE(select->each(read, "x AND y"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == Numbers{2, 1, 1, 0, 2, 3});
  CHECK(rows[1] == Numbers{0, 1, 1, 0});
  rows.clear();
  REQUIRE(select->each(read, "z"));  // another query: its first row tells again
  CHECK(rows == std::vector<Numbers>{{0, 1, 1}});
}
