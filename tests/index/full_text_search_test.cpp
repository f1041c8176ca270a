// SPDX-License-Identifier: MIT
#include "daybook/index/full_text_search.hpp"

#include "index/text_shelf.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

using daybook::index::kRankedMatches;
using daybook::index::SearchFilter;
using daybook::lineage::Kind;
using daybook::support::kMay;
using daybook::support::kMayBegins;
using daybook::support::TempFolder;
using daybook::support::TextShelf;
using Files = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("Without a folder, or with an empty query, nothing is found") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  CHECK(shelf.found("tide").empty());
  shelf.put(1, "tide ++");
  REQUIRE(shelf.bring());
  CHECK(shelf.found("").empty());
  CHECK(shelf.found("++").empty());
  CHECK(shelf.found("-tide").empty());
}

TEST_CASE("Words of every script are found, whatever their case and accents") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "Die Ölpumpe läuft; naïveté");
  shelf.put(2, "潮汐表 は 東京湾");
  shelf.put(3, "Прилив и ОТЛИВ");
  shelf.put(4, "src/tide/harmonics.cpp:42 c++ a-b");
  REQUIRE(shelf.bring());
  CHECK(shelf.found("OLPUMPE") == Files{1});
  CHECK(shelf.found("naivete") == Files{1});
  CHECK(shelf.found("lä*") == Files{1});
  CHECK(shelf.found("潮汐表") == Files{2});
  CHECK(shelf.found("潮*") == Files{2});
  CHECK(shelf.found("отлив") == Files{3});
  CHECK(shelf.found("tide/harmonics.cpp") == Files{4});
  CHECK(shelf.found("harmonics/tide").empty());
  CHECK(shelf.found("c++") == Files{4});
  CHECK(shelf.found("a-b") == Files{4});
}

TEST_CASE("All words, one of them, none of them, side by side") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "tide gauge");
  shelf.put(2, "gauge then tide");
  shelf.put(3, "tide alone");
  REQUIRE(shelf.bring());
  CHECK(shelf.found("tide gauge").size() == 2);
  CHECK(shelf.found("\"tide gauge\"") == Files{1});
  CHECK(shelf.found("tide -gauge") == Files{3});
  CHECK(shelf.found("alone OR then").size() == 2);
  CHECK(shelf.found("tide -gauge -alone").empty());
}

TEST_CASE("The filter decides who, what and when") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  for (std::int64_t file = 1; file <= 12; ++file) {
    auto& document = shelf.put(file, "tide");
    document.agent = file % 2;
    document.project = file % 3;
    document.kind = static_cast<Kind>(file % 3);
    document.time = {kMayBegins + file};
  }
  REQUIRE(shelf.bring());
  const auto count = [&shelf](const SearchFilter& filter) {
    return shelf.found("tide", filter).size();
  };
  CHECK(count({}) == 12);
  SearchFilter agent;
  agent.agent = 1;
  CHECK(count(agent) == 6);
  agent.projects = Files{0, 1};
  CHECK(count(agent) == 4);
  agent.projects = Files{};
  CHECK(count(agent) == 0);
  SearchFilter kinds;
  kinds.kinds = {Kind::summary, Kind::compaction};
  CHECK(count(kinds) == 8);
  SearchFilter times;
  times.since = {kMayBegins + 3};
  times.until = {kMayBegins + 5};
  CHECK(shelf.found("tide", times) == Files{5, 4, 3});
  times.since = {kMayBegins + 13};
  times.until.reset();
  CHECK(count(times) == 0);
}

TEST_CASE("The better match comes first: the sentence counts more, and rare words") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  const std::string filler = " one two three four five six seven eight nine ten";
  for (std::int64_t file = 1; file <= 20; ++file) {
    shelf.put(file, "common" + filler);
  }
  shelf.put(21, "tide common" + filler);
  shelf.put(22, "common" + filler, "tide");
  shelf.put(23, "tide tide tide tide tide tide" + filler);
  shelf.put(24, "tide common" + filler + filler + filler + filler);
  REQUIRE(shelf.bring());
  const Files found = shelf.found("tide");
  REQUIRE(found.size() == 4);
  CHECK(found.front() == 23);
  CHECK(found[1] == 22);
  CHECK(found[2] == 21);
  CHECK(found[3] == 24);
}

TEST_CASE("Equal matches: the newest first, and none of those that equal the last is cut off") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "tide").time = {kMayBegins + 5};
  shelf.put(2, "tide").time = {kMayBegins + 9};
  shelf.put(3, "tide").time = {kMayBegins + 5};
  shelf.put(4, "tide").time = {kMayBegins + 1};
  REQUIRE(shelf.bring());
  CHECK(shelf.found("tide") == Files{2, 1, 3, 4});
  CHECK(shelf.search("tide", {}, 1)->hits.size() == 1);
  CHECK(shelf.search("tide", {}, 2)->hits.size() == 3);  // 1 and 3 are of one moment
}

TEST_CASE("Scores of a nearly empty month stand beside those of a full one") {
  const TempFolder folder;
  TextShelf full(folder.at("text"));
  for (std::int64_t file = 1; file <= 100; ++file) {
    full.put(file, file % 10 == 0 ? "tide and words" : "only words here");
  }
  REQUIRE(full.bring());
  TextShelf young(folder.at("text"));
  young.put(1000, "tide and words").time = {kMayBegins + 40LL * 86'400'000};
  REQUIRE(young.bring(daybook::index::MonthWork::update, kMay + 1));
  const auto found = full.found("tide");
  REQUIRE(found.size() == 11);
  CHECK(found.front() == 1000);  // as good as the others, and newer
}

TEST_CASE("A month in whose tables a bit has turned is told as damaged, the others are searched") {
  const TempFolder folder;
  TextShelf older(folder.at("text"));
  older.put(1, "tide and harbour words");
  REQUIRE(older.bring());
  TextShelf newer(folder.at("text"));
  newer.put(1000, "tide and harbour words").time = {kMayBegins + 40LL * 86'400'000};
  REQUIRE(newer.bring(daybook::index::MonthWork::update, kMay + 1));
  REQUIRE(older.found("tide harbour words -boat") == Files{1000, 1});
  const bool is_older = GENERATE(true, false);
  const std::string file = is_older ? "text/2026-05.1.db" : "text/2026-06.1.db";
  const std::string good = folder.read(file);
  const std::string declared = GENERATE(as<std::string>(),
                                        "words USING fts5(body, sentence, content='', columnsize=0",
                                        "document(id INTEGER PRIMARY KEY, file INTEGER NOT NULL");
  const std::size_t place = good.find(declared);
  REQUIRE(place != std::string::npos);
  for (std::size_t bit = 0; bit < declared.size() * 8; bit += 3) {
    std::string bytes = good;
    bytes[place + bit / 8] = static_cast<char>(bytes[place + bit / 8] ^ (1 << bit % 8));
    folder.write(file, bytes);
    CAPTURE(bytes.substr(place, declared.size()));
    const auto answer = older.search("tide harbour words -boat");
    REQUIRE(answer);
    CHECK(answer->damaged == Files{is_older ? kMay : kMay + 1});
    REQUIRE(answer->hits.size() == 1);
    CHECK(answer->hits.front().file == (is_older ? 1000 : 1));
  }
}

TEST_CASE("Of many matches the newest are ranked, and the answer says so") {
  const TempFolder folder;
  TextShelf old(folder.at("text"));
  old.put(5000, "tide tide tide").time = {kMayBegins - 1};
  REQUIRE(old.bring(daybook::index::MonthWork::update, kMay - 1));
  TextShelf shelf(folder.at("text"));
  for (std::int64_t file = 1; file <= static_cast<std::int64_t>(kRankedMatches) + 5; ++file) {
    shelf.put(file, file % 2 == 0 ? "tide" : "tide even");
  }
  REQUIRE(shelf.bring());
  const auto answer = shelf.search("tide");
  REQUIRE(answer);
  CHECK(answer->hits.size() == kRankedMatches);
  CHECK(answer->older_left_out);
  for (const auto& hit : answer->hits) {
    CHECK(hit.file > 5);
    CHECK(hit.file != 5000);
  }
  const auto fewer = shelf.search("even");
  CHECK(fewer->hits.size() == 503);
  CHECK_FALSE(fewer->older_left_out);
  CHECK(shelf.search("tide -even")->hits.size() == 503);
}
