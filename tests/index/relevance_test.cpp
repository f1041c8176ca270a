// SPDX-License-Identifier: MIT
#include "daybook/index/relevance.hpp"

#include "index/text_shelf.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using daybook::index::NamedProjects;
using daybook::index::OtherDocuments;
using daybook::index::Question;
using daybook::index::RelevantDocuments;
using daybook::index::SearchFilter;
using daybook::support::kMay;
using daybook::support::TempFolder;
using daybook::support::TextShelf;
using Files = std::vector<std::int64_t>;

RelevantDocuments ask(const TempFolder& folder,
                      std::string_view asked,
                      const SearchFilter& filter = {},
                      const NamedProjects& projects = {},
                      const OtherDocuments& others = {}) {
  return daybook::index::find_relevant(folder.at("text"),
                                       "this index",
                                       Question::parse(asked).value(),
                                       projects,
                                       filter,
                                       1000,
                                       others)
      .value();
}

Files files_of(const RelevantDocuments& found) {
  Files files;
  for (const auto& document : found.found) {
    files.push_back(document.file);
  }
  return files;
}

}  // namespace

TEST_CASE("What holds more and rarer words of a question comes first") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "the gauge was read");
  shelf.put(2, "the gauge was read and calibrated by hand");
  shelf.put(3, "the gauge was painted");
  shelf.put(4, "nothing of it");
  REQUIRE(shelf.bring());
  CHECK(files_of(ask(folder, "How are gauges calibrated?")) == Files{2, 1, 3});
  CHECK(ask(folder, "how are gauges calibrated").found[0].terms == 0b11);
  CHECK(ask(folder, "zeppelins").found.empty());
  CHECK(ask(folder, "").found.empty());
}

TEST_CASE("A word in the sentence says more than one in the body") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "words about the harbour and other matters");
  shelf.put(2, "words about something else and other matters", "the harbour");
  REQUIRE(shelf.bring());
  CHECK(files_of(ask(folder, "harbour")) == Files{2, 1});
}

TEST_CASE("A project that the question names counts for all that is of it") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "the parser is slow").project = 7;
  shelf.put(2, "the parser is slow").project = 8;
  REQUIRE(shelf.bring());
  CHECK(files_of(ask(folder, "slow parser of tidewater")) == Files{2, 1});
  CHECK(files_of(ask(folder, "slow parser of tidewater", {}, {{7, 0b100}})) == Files{1, 2});
}

TEST_CASE("Old documents are found as well as new ones, through all months") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "an ancient walrus");
  REQUIRE(shelf.bring(daybook::index::MonthWork::update, kMay - 30));
  shelf.drop(1);
  for (std::int64_t file = 2; file < 3000; ++file) {
    shelf.put(file, "common words of every day " + std::to_string(file));
  }
  REQUIRE(shelf.bring());
  CHECK(files_of(ask(folder, "which day did the walrus come")).front() == 1);
}

TEST_CASE("Of what holds only words that all others hold, too, only some is looked at") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  for (std::int64_t file = 1; file <= 5000; ++file) {
    shelf.put(file, file % 1000 == 0 ? "common and rarely" : "common and usually");
  }
  REQUIRE(shelf.bring());
  CHECK(files_of(ask(folder, "common rarely")) == Files{5000, 4000, 3000, 2000, 1000});
}

TEST_CASE("A filter holds for relevant documents, and a damaged month is told") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "walrus").agent = 1;
  shelf.put(2, "walrus").agent = 2;
  REQUIRE(shelf.bring());
  SearchFilter filter;
  filter.agent = 2;
  CHECK(files_of(ask(folder, "walrus", filter)) == Files{2});
  for (const auto& entry : std::filesystem::directory_iterator(folder.at("text"))) {
    std::ofstream(entry.path(), std::ios::binary | std::ios::trunc) << "not a database at all";
  }
  const RelevantDocuments damaged = ask(folder, "walrus");
  CHECK(damaged.found.empty());
  CHECK(damaged.damaged == std::vector<std::int64_t>{kMay});
}

TEST_CASE("Documents of no month have the same scores when those of months are not wanted") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "the gauge was read");
  shelf.put(2, "the gauge was painted").project = 7;
  REQUIRE(shelf.bring());
  const NamedProjects named{{7, 0b10}};
  OtherDocuments others;
  others.list = {{11, {1}, 20, {1, 0}}, {12, {1}, 30, {2, 1}}};
  others.documents = 3;
  others.bytes = 70;
  const RelevantDocuments beside = ask(folder, "gauge tidewater", {}, named, others);
  CHECK(beside.found.size() == 4);
  others.alone = true;
  const RelevantDocuments alone = ask(folder, "gauge tidewater", {}, named, others);
  CHECK(files_of(alone) == Files{12, 11});
  for (const auto& document : alone.found) {
    const auto same =
        std::find_if(beside.found.begin(), beside.found.end(), [&document](const auto& other) {
          return other.file == document.file;
        });
    REQUIRE(same != beside.found.end());
    CHECK(same->score == document.score);
  }
}
