// SPDX-License-Identifier: MIT
#include "daybook/index/full_text.hpp"

#include "daybook/store/database.hpp"
#include "index/text_shelf.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace {

using daybook::index::MonthOutcome;
using daybook::index::months_with_text;
using daybook::index::MonthWork;
using daybook::support::kMay;
using daybook::support::TempFolder;
using daybook::support::TextShelf;
using Deed = MonthOutcome::Deed;
using Files = std::vector<std::int64_t>;

MonthOutcome brought(TextShelf& shelf, MonthWork work = MonthWork::update) {
  auto outcome = shelf.bring(work);
  INFO((outcome ? std::string() : outcome.error().message));
  REQUIRE(outcome);
  return *outcome;
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

/// Fills the shelf so that one change more is far from a quarter.
void fill(TextShelf& shelf, std::int64_t count) {
  for (std::int64_t file = 1; file <= count; ++file) {
    shelf.put(file, "common text number n" + std::to_string(file), "sentence");
  }
}

}  // namespace

TEST_CASE("What is wanted is found, what is not wanted any more is not") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 20);
  CHECK(brought(shelf).deed == Deed::rebuilt);
  CHECK(shelf.take_read_count() == 20);
  CHECK(shelf.found("n7") == Files{7});

  CHECK(brought(shelf).deed == Deed::nothing);
  CHECK(shelf.take_read_count() == 0);

  shelf.put(21, "a new one");
  shelf.drop(7);
  shelf.put(8, "other content");
  const MonthOutcome outcome = brought(shelf);
  CHECK(outcome.deed == Deed::updated);
  CHECK(outcome.added == 2);
  CHECK(outcome.retired == 2);
  CHECK(shelf.take_read_count() == 2);
  CHECK(shelf.found("n7").empty());
  CHECK(shelf.found("n8").empty());
  CHECK(shelf.found("other") == Files{8});
  CHECK(shelf.found("new") == Files{21});
  CHECK(shelf.found("common").size() == 18);
  CHECK(shelf.files() == std::vector<std::string>{"2026-05.1.db"});
}

TEST_CASE("A row id is not given again, so that old words do not come back with a new document") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 40);
  brought(shelf);
  shelf.drop(40);
  brought(shelf);
  shelf.put(41, "fresh");
  CHECK(brought(shelf).deed == Deed::updated);
  CHECK(shelf.found("n40").empty());
  CHECK(shelf.found("fresh") == Files{41});
}

TEST_CASE("Other facts about the same text are taken over without reading it again") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 5);
  brought(shelf);
  shelf.take_read_count();
  auto& document = shelf.put(3, "common text number n3", "sentence");
  document.agent = 9;
  document.time = {daybook::support::kMayBegins};
  CHECK(brought(shelf).deed == Deed::updated);
  CHECK(shelf.take_read_count() == 0);
  daybook::index::SearchFilter filter;
  filter.agent = 9;
  CHECK(shelf.found("common", filter) == Files{3});
}

TEST_CASE("Folder and file are private, and a month of which nothing is wanted has no file") {
  const TempFolder folder;
  const mode_t before = ::umask(0);
  TextShelf shelf(folder.at("text"));
  shelf.put(1, "tide");
  brought(shelf);
  ::umask(before);
  CHECK(mode_of(shelf.folder()) == 0700);
  CHECK(mode_of(shelf.folder() + "/2026-05.1.db") == 0600);
  CHECK(months_with_text(shelf.folder()).value() == Files{kMay});
  shelf.drop(1);
  CHECK(brought(shelf).deed == Deed::removed);
  CHECK(shelf.files().empty());
  CHECK(months_with_text(shelf.folder()).value().empty());
  CHECK(shelf.found("tide").empty());
}

TEST_CASE("More than a quarter retired: the month is built anew, and no byte of theirs is left") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 12);
  shelf.put(13, "zyxwvutsecret", "another zyxwvutsecret");
  brought(shelf);
  REQUIRE(shelf.bytes_hold("zyxwvutsecret"));
  shelf.drop(13);
  CHECK(brought(shelf).deed == Deed::updated);
  CHECK(shelf.found("zyxwvutsecret").empty());
  shelf.drop(1);
  shelf.drop(2);
  CHECK(brought(shelf).deed == Deed::updated);
  shelf.drop(3);
  CHECK(brought(shelf).deed == Deed::rebuilt);
  CHECK_FALSE(shelf.bytes_hold("zyxwvutsecret"));
  CHECK(shelf.found("common").size() == 9);
}

TEST_CASE("A rebuilding erases: the removed text is in no byte of the folder") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 200);
  brought(shelf);
  shelf.put(500, "zyxwvutsecret stands here", "and here zyxwvutsecret");
  CHECK(brought(shelf).deed == Deed::updated);
  shelf.drop(500);
  // What a crash may have left lies beside it, too.
  for (const char* name : {"2026-05.1.db-journal", "2026-05.1.db-wal", "2026-05.7.db.new"}) {
    std::ofstream(shelf.folder() + "/" + name) << "zyxwvutsecret";
  }
  CHECK(brought(shelf, MonthWork::rebuild).deed == Deed::rebuilt);
  CHECK_FALSE(shelf.bytes_hold("zyxwvutsecret"));
  CHECK(shelf.files().size() == 1);
  CHECK(shelf.found("common").size() == 200);
}

TEST_CASE("Files of another index, another version or no sense at all are built anew") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 300);
  brought(shelf);
  const std::string path = shelf.folder() + "/2026-05.1.db";
  SECTION("another index") {
    TextShelf other(shelf.folder(), "another index");
    other.put(1, "theirs");
    CHECK(other.found("common").empty());
    CHECK(brought(other).deed == Deed::rebuilt);
    CHECK(other.found("theirs") == Files{1});
    CHECK(shelf.found("common").empty());
    return;
  }
  SECTION("another version") {
    auto database = daybook::store::Database::open(path);
    REQUIRE(database->execute("UPDATE meta SET version = version + 1"));
  }
  SECTION("no full text in it") {
    auto database = daybook::store::Database::open(path);
    REQUIRE(database->execute("DROP TABLE words"));
  }
  SECTION("not a database") { std::ofstream(path, std::ios::trunc) << std::string(9000, 'x'); }
  SECTION("empty") { std::filesystem::resize_file(path, 0); }
  SECTION("cut in half") {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2 / 4096 * 4096);
  }
  SECTION("cut within a page") {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100);
  }
  CHECK(shelf.search("common"));  // finds what it can, and does not fail
  CHECK(brought(shelf).deed == Deed::rebuilt);
  CHECK(shelf.found("common").size() == 300);
  CHECK(shelf.files() == std::vector<std::string>{"2026-05.2.db"});
}

TEST_CASE("Verifying finds damage within, and searching tells it") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 2000);
  brought(shelf);
  CHECK(brought(shelf, MonthWork::verify).deed == Deed::nothing);
  const std::string path = shelf.folder() + "/2026-05.1.db";
  const auto size = std::filesystem::file_size(path);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (std::uintmax_t at = 4096; at < size; at += 4096) {
      file.seekp(static_cast<std::streamoff>(at));
      file << std::string(4096, '\xAB');
    }
  }
  const auto answer = shelf.search("common");
  REQUIRE(answer);
  CHECK(answer->hits.empty());
  CHECK(answer->damaged == Files{kMay});
  CHECK(brought(shelf, MonthWork::verify).deed == Deed::rebuilt);
  CHECK(shelf.found("n1999") == Files{1999});
}

TEST_CASE("A source without an answer leaves the document out, a failing one the month as it was") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 10);
  brought(shelf);
  std::vector<daybook::index::TextDocument> wanted;
  for (std::int64_t file = 1; file <= 11; ++file) {
    auto& document = shelf.put(file, "common text number n" + std::to_string(file), "sentence");
    wanted.push_back(document);
  }
  const daybook::index::MonthRequest request{shelf.folder(), kMay, "this index"};
  const auto nothing = bring_up_to_date(
      request,
      wanted,
      [](const auto&) -> daybook::Result<std::optional<daybook::index::TextContent>> {
        return std::optional<daybook::index::TextContent>();
      },
      shelf.cancelled());
  REQUIRE(nothing);
  CHECK(nothing->left_out == 1);
  CHECK(shelf.found("n11").empty());
  const auto failed = bring_up_to_date(
      request,
      wanted,
      [](const auto&) -> daybook::Result<std::optional<daybook::index::TextContent>> {
        return daybook::Error{daybook::ErrorKind::not_permitted, "no", "", ""};
      },
      shelf.cancelled());
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == daybook::ErrorKind::not_permitted);
  CHECK(shelf.found("common").size() == 10);
  CHECK(brought(shelf).added == 1);
  CHECK(shelf.found("n11") == Files{11});
}

TEST_CASE("Cancelled, the month is as it was") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  fill(shelf, 20);
  brought(shelf);
  shelf.drop(3);
  shelf.put(21, "new");
  shelf.cancelled() = true;
  CHECK(brought(shelf).deed == Deed::cancelled);
  CHECK(brought(shelf, MonthWork::rebuild).deed == Deed::cancelled);
  CHECK(shelf.found("n3") == Files{3});
  CHECK(shelf.found("new").empty());
  CHECK(shelf.files().size() == 1);
  shelf.cancelled() = false;
  CHECK(brought(shelf).deed == Deed::updated);
  CHECK(shelf.found("n3").empty());
}

TEST_CASE("Of a body sixteen megabytes are found, and a NUL ends nothing") {
  const TempFolder folder;
  TextShelf shelf(folder.at("text"));
  std::string body("first ");
  while (body.size() < daybook::index::kTextLimit - 5) {
    body.append("fill ");
  }
  body.append("beyond ").append("after");
  shelf.put(1, body);
  shelf.put(2, std::string("before\0behind", 13), std::string("x\0sentence", 10));
  brought(shelf);
  CHECK(shelf.found("first") == Files{1});
  CHECK(shelf.found("after").empty());
  CHECK(shelf.found("behind") == Files{2});
  CHECK(shelf.found("sentence") == Files{2});
}

TEST_CASE("Changed step by step or built at once, the same is found") {
  rc::prop("steps", [] {
    const TempFolder folder;
    TextShelf shelf(folder.at("text"));
    const std::vector<std::string> words{"tide", "gauge", "Ölpumpe", "a-b", "潮汐", "x1", "the"};
    const auto text = rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words));
    const auto steps = *rc::gen::inRange(1, 12);
    for (int step = 0; step < steps; ++step) {
      const auto changes = *rc::gen::inRange(0, 6);
      for (int change = 0; change < changes; ++change) {
        const auto file = *rc::gen::inRange<std::int64_t>(1, 15);
        if (*rc::gen::inRange(0, 3) == 0) {
          shelf.drop(file);
          continue;
        }
        std::string body;
        for (const std::string& word : *text) {
          body.append(word).append(" ");
        }
        shelf.put(file, body, *rc::gen::elementOf(words)).agent = *rc::gen::inRange(1, 3);
      }
      RC_ASSERT(shelf.bring());
    }
    const std::vector<std::string> queries{
        "tide", "gau*", "olpumpe", "\"tide gauge\"", "a-b", "潮*", "the -tide", "x1 OR tide"};
    std::vector<std::set<std::int64_t>> before;
    for (const std::string& query : queries) {
      const auto found = shelf.found(query);
      before.emplace_back(found.begin(), found.end());
    }
    RC_ASSERT(shelf.bring(MonthWork::rebuild));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto found = shelf.found(queries[i]);
      RC_ASSERT(std::set<std::int64_t>(found.begin(), found.end()) == before[i]);
    }
  });
}
