// SPDX-License-Identifier: MIT
#include "daybook/index/index_file.hpp"

#include "daybook/index/reader.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

using namespace daybook::index;
using daybook::store::Access;
using daybook::support::TempFolder;

namespace {

std::string make_index(const TempFolder& folder) {
  std::string path = folder.at("index.db");
  auto build = IndexBuild::begin(path, 1, 1);
  REQUIRE(build);
  REQUIRE(build->complete());
  REQUIRE(build->install());
  return path;
}

void change(const std::string& path, const std::string& sql) {
  auto database = daybook::store::Database::open(path);
  REQUIRE(database);
  REQUIRE(database->execute(sql));
}

Usability usability(const std::string& path) {
  const auto opened = open_index(path, GENERATE(Access::read_only, Access::read_write));
  REQUIRE(opened);
  CHECK(opened->database.has_value() == (opened->usability == Usability::usable));
  return opened->usability;
}

}  // namespace

TEST_CASE("An index in whose triggers or views a letter has turned is damaged") {
  const TempFolder folder;
  const std::string path = make_index(folder);
  // Both are good SQL. The first fails when a session comes, the second counts it on another day.
  const auto [from, to] = GENERATE(std::pair<std::string, std::string>("new.agent", "new.aeent"),
                                   std::pair<std::string, std::string>("86400000", "86400001"),
                                   std::pair<std::string, std::string>("'valid'", "'vamid'"));
  CAPTURE(from, to);
  change(path,
         "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, '" +
             (from.starts_with("'") ? "'" + from + "'" : from) + "', '" +
             (to.starts_with("'") ? "'" + to + "'" : to) + "')");
  CHECK(usability(path) == Usability::damaged);
}

TEST_CASE("An index stays usable when it was vacuumed, or looked at by SQLite's own means") {
  const TempFolder folder;
  const std::string path = make_index(folder);
  change(path, GENERATE("VACUUM", "INSERT INTO word VALUES(1, 'word'); ANALYZE"));
  CHECK(usability(path) == Usability::usable);
}

TEST_CASE("No bit that turns in an index's header, or where its meta is declared, is a failure") {
  const TempFolder folder;
  const std::string path = make_index(folder);
  const std::string good = folder.read("index.db");
  constexpr std::size_t kHeader = 100;
  constexpr std::string_view kDeclared = "CREATE TABLE meta(key TEXT PRIMARY KEY, value)";
  const std::size_t declared = good.find(kDeclared);
  REQUIRE(declared != std::string::npos);
  std::set<Usability> seen;
  for (std::size_t bit = 0; bit < (kHeader + kDeclared.size()) * 8; ++bit) {
    const std::size_t byte = bit / 8 < kHeader ? bit / 8 : declared + bit / 8 - kHeader;
    CAPTURE(byte, bit % 8);
    std::string damaged = good;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit % 8));
    folder.write("index.db", damaged);
    auto opened = open_index(path, Access::read_write);
    REQUIRE(opened);
    seen.insert(opened->usability);
    if (opened->database) {
      // What a pass meets as damage it cures; anything else it would meet again and again.
      const auto written = opened->database->execute("INSERT INTO word VALUES(1, 'word')");
      CHECK((written || written.error().kind == daybook::ErrorKind::damaged));
    }
    opened->database.reset();
    std::filesystem::remove(path + "-wal");
    std::filesystem::remove(path + "-shm");
    // A letter's case means nothing in SQL, but is not what was written either.
    CHECK((byte < kHeader || opened->usability == Usability::damaged));
  }
  CHECK(seen.contains(Usability::usable));  // some bits of the header mean nothing
  CHECK(seen.contains(Usability::other_schema));
}
