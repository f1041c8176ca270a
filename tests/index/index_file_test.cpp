// SPDX-License-Identifier: MIT
#include "daybook/index/index_file.hpp"

#include "daybook/index/reader.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>

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

TEST_CASE("An index stays usable when it was vacuumed") {
  const TempFolder folder;
  const std::string path = make_index(folder);
  change(path, "VACUUM");
  CHECK(usability(path) == Usability::usable);
}
