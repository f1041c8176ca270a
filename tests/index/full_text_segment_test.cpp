// SPDX-License-Identifier: MIT
// What is written in FTS5's format, held against what FTS5 writes itself.
#include "index/full_text_segment.hpp"

#include "daybook/store/database.hpp"
#include "daybook/store/fts5.hpp"
#include "support/random_text.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using daybook::index::SegmentBuild;
using daybook::store::Borrowed;
using daybook::store::Database;
using daybook::support::TempFolder;

struct Text {
  std::int64_t id = 0;
  std::string body;
  std::string sentence;
};

Database with_table(const std::string& path) {
  Database database = Database::open(path).value();
  REQUIRE(database.execute(std::string("CREATE VIRTUAL TABLE words USING fts5(body, sentence, "
                                       "content='', columnsize=0, tokenize=\"")
                               .append(daybook::store::kWordRules)
                               .append("\")")));
  return database;
}

/// Every word, row, column and place of the table, and what FTS5 says of its health.
std::vector<std::string> content_of(Database& database) {
  std::vector<std::string> content;
  REQUIRE(database.execute(
      "CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', 'words', 'instance')"));
  auto select = database.prepare("SELECT term, doc, col, offset FROM temp.places");
  REQUIRE(select);
  const auto read = select->each([&content](const daybook::store::Row& row) {
    content.push_back(std::string(row.text(0))
                          .append(" ")
                          .append(std::to_string(row.integer(1)))
                          .append(row.text(2))
                          .append(std::to_string(row.integer(3))));
  });
  REQUIRE(read);
  const auto sound = database.execute("INSERT INTO words(words) VALUES('integrity-check')");
  INFO((sound ? std::string() : sound.error().message));
  REQUIRE(sound);
  return content;
}

std::vector<std::string> by_fts5(const std::vector<Text>& texts) {
  const TempFolder folder;
  Database database = with_table(folder.at("theirs.db"));
  REQUIRE(database.execute("BEGIN"));
  auto insert = database.prepare("INSERT INTO words(rowid, body, sentence) VALUES(?, ?, ?)");
  for (const Text& text : texts) {
    REQUIRE(insert->run(text.id, Borrowed{text.body}, Borrowed{text.sentence}));
  }
  REQUIRE(database.execute("COMMIT"));
  return content_of(database);
}

std::vector<std::string> by_daybook(const std::vector<Text>& texts) {
  const TempFolder folder;
  {
    Database database = with_table(folder.at("ours.db"));
    REQUIRE(database.execute("BEGIN"));
    auto build = std::move(SegmentBuild::make(database)).value();
    REQUIRE(build.has_value());
    for (const Text& text : texts) {
      REQUIRE(build->add_row(text.id, text.body, text.sentence));
    }
    REQUIRE(build->finish());
    REQUIRE(database.execute("COMMIT"));
  }
  Database database = Database::open(folder.at("ours.db")).value();
  return content_of(database);
}

std::string many_words(unsigned seed, std::size_t count, unsigned vocabulary) {
  std::mt19937 random(seed);  // NOLINT: the same every time
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text.append("w").append(std::to_string(random() % vocabulary)).append(i % 7 == 0 ? "\n" : " ");
  }
  return text;
}

}  // namespace

TEST_CASE("A small table is FTS5's, place by place") {
  const std::vector<Text> texts{{1, "The tide, the TIDE-table; x_1 c++", "the sentence"},
                                {2, "", ""},
                                {5, "", "only a sentence"},
                                {900, "Ölpumpe läuft, e\xCC\x81te\xCC\x81 潮汐表 Прилив", "ñ"}};
  CHECK(by_daybook(texts) == by_fts5(texts));
  CHECK(by_daybook({}).empty());
}

TEST_CASE("Doclists and places over many leaves are FTS5's") {
  std::vector<Text> texts;
  for (std::int64_t id = 1; id <= 300; ++id) {
    const auto seed = static_cast<unsigned>(id);
    texts.push_back({id * 3, many_words(seed, 400, 50), many_words(seed + 1, 10, 5000)});
  }
  // One word whose places alone fill leaves, and far apart.
  std::string same;
  for (int i = 0; i < 30'000; ++i) {
    same.append("tide ");
    if (i % 1000 == 0) {
      same.append(many_words(static_cast<unsigned>(i), 300, 90'000));
    }
  }
  texts.push_back({10'000, same, same});
  texts.push_back({1'000'000, "tide", ""});
  CHECK(by_daybook(texts) == by_fts5(texts));
}

TEST_CASE("Words longer than a leaf are FTS5's") {
  std::vector<Text> texts;
  for (const std::size_t size : {std::size_t{4000},
                                 std::size_t{4050},
                                 std::size_t{9000},
                                 std::size_t{32'768},
                                 std::size_t{40'000}}) {
    const auto id = static_cast<std::int64_t>(texts.size()) + 1;
    texts.push_back({id, std::string(size, 'a') + " b " + std::string(size, 'c'), "z"});
  }
  CHECK(by_daybook(texts) == by_fts5(texts));
}

TEST_CASE("Whatever the bytes, the words are FTS5's") {
  rc::prop("words", [] {
    std::vector<Text> texts;
    const auto count = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto text = daybook::support::text_made_of({"a",
                                                      "B",
                                                      "7",
                                                      " ",
                                                      "-",
                                                      "_",
                                                      "ä",
                                                      "Ä",
                                                      "e\xCC\x81",
                                                      "\xCC\x81",
                                                      "潮",
                                                      "İ",
                                                      "ß",
                                                      "Ⅷ",
                                                      "\xFF",
                                                      "\xC3",
                                                      "\xE6\xBD",
                                                      "\x80",
                                                      "\xF0\x9F\x8C\x8A",
                                                      "\xEE\x80\x80",
                                                      "\n",
                                                      "\x7F",
                                                      "²",
                                                      "word",
                                                      "\xC2\xA0",
                                                      "\xEF\xBF\xBF",
                                                      "\xED\xA0\x80",
                                                      "\xC0\xAF"});
    for (std::int64_t id = 1; id <= count; ++id) {
      texts.push_back({id, *text, *text});
    }
    RC_ASSERT(by_daybook(texts) == by_fts5(texts));
  });
}

TEST_CASE("A table of several segments grows on under FTS5's own hands") {
  const TempFolder folder;
  const std::string path = folder.at("ours.db");
  std::size_t rows = 0;
  {
    Database database = with_table(path);
    REQUIRE(database.execute("BEGIN"));
    auto build = std::move(SegmentBuild::make(database)).value();
    // More than is gathered at once, so that there are two segments at least.
    for (; rows < 12; ++rows) {
      REQUIRE(build->add_row(static_cast<std::int64_t>(rows) + 1,
                             "common " + many_words(static_cast<unsigned>(rows), 300'000, 900'000),
                             "sentence"));
    }
    REQUIRE(build->finish());
    REQUIRE(database.execute("COMMIT"));
  }
  Database database = Database::open(path).value();
  auto insert = database.prepare("INSERT INTO words(rowid, body, sentence) VALUES(?, ?, ?)");
  for (int i = 0; i < 40; ++i) {
    REQUIRE(insert->run(static_cast<std::int64_t>(++rows), "common young", ""));
  }
  const auto found = [&database](const char* expression) {
    return database.prepare("SELECT count(*) FROM words WHERE words MATCH ?")
        ->integer(expression)
        .value()
        .value_or(-1);
  };
  CHECK(found("common") == static_cast<std::int64_t>(rows));
  CHECK(found("young") == 40);
  REQUIRE(database.execute("INSERT INTO words(words) VALUES('integrity-check')"));
  REQUIRE(database.execute("INSERT INTO words(words) VALUES('optimize')"));
  CHECK(found("common") == static_cast<std::int64_t>(rows));
  REQUIRE(database.execute("INSERT INTO words(words) VALUES('integrity-check')"));
}

TEST_CASE("A format of FTS5 that is not known is left to FTS5") {
  const TempFolder folder;
  Database database = with_table(folder.at("theirs.db"));
  REQUIRE(SegmentBuild::make(database)->has_value());
  REQUIRE(database.execute("UPDATE words_config SET v = v + 1 WHERE k = 'version'"));
  const auto build = SegmentBuild::make(database);
  REQUIRE(build);
  CHECK_FALSE(build->has_value());
}
