// SPDX-License-Identifier: MIT
#include "daybook/state/trash.hpp"

#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <sys/stat.h>

namespace daybook::state {
namespace {

namespace fs = std::filesystem;

const lineage::Timestamp kNow = lineage::parse_timestamp("2026-03-30T12:00:00.000Z").value();
const std::string kPath = "memory/sub/a note (1).md";

StateFolder state_beside_vault(const support::TempFolder& temp) {
  temp.make_folder("vault/memory/sub");
  auto opened = StateFolder::open(temp.at("state"), temp.at("vault"), Create::if_missing);
  REQUIRE(opened);
  return std::move(opened).value();
}

struct Place {
  support::TempFolder temp;
  StateFolder folder = state_beside_vault(temp);
  Trash trash{folder};

  std::string read(const Trash::Item& item) const {
    return temp.read(fs::relative(item.full_path(), temp.path()).string());
  }
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("what is put into the trash keeps its path, its bytes and its privacy") {
  const Place place;
  const std::string bytes(600'000, 'z');
  place.temp.write("vault/" + kPath, bytes);
  const auto kept = place.trash.keep(base::real_disk(), kPath, kNow);
  REQUIRE(kept);
  CHECK(kept->item.full_path() == place.temp.at("state/trash/2026-03-30T12-00-00.000Z/" + kPath));
  CHECK(kept->sha256 == base::sha256(bytes));
  CHECK(place.read(kept->item) == bytes);
  CHECK(mode_of(kept->item.full_path()) == 0600);
  CHECK(mode_of(kept->item.folder) == 0700);
  CHECK(mode_of(kept->item.folder + "/memory/sub") == 0700);
  CHECK(place.temp.read("vault/" + kPath) == bytes);  // it only copies
}

TEST_CASE("the trash never replaces what it holds") {
  const Place place;
  const auto first = place.trash.keep_bytes(kPath, "one", kNow);
  const auto second = place.trash.keep_bytes(kPath, "two", kNow);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(place.read(first->item) == "one");
  CHECK(place.read(second->item) == "two");
  const auto items = place.trash.items();
  REQUIRE(items);
  REQUIRE(items->size() == 2);
  CHECK(items->front().path == kPath);
  CHECK(items->front().folder == first->item.folder);
}

TEST_CASE("the trash takes nothing from elsewhere and follows no link") {
  const Place place;
  place.temp.write("outside.md", "not ours");
  place.temp.make_link("vault/memory/link.md", place.temp.at("outside.md"));
  CHECK_FALSE(place.trash.keep(base::real_disk(), "memory/link.md", kNow));
  CHECK_FALSE(place.trash.keep(base::real_disk(), "../outside.md", kNow));
  CHECK_FALSE(place.trash.keep(base::real_disk(), "memory/missing.md", kNow));
  CHECK_FALSE(place.trash.keep_bytes("", "x", kNow));
  CHECK(place.trash.items().value().empty());
  // A link planted inside it leads nowhere.
  fs::create_directories(place.temp.at("elsewhere"));
  const std::string time = place.temp.at("state/trash/2026-03-30T12-00-00.000Z");
  fs::remove_all(time);
  fs::create_symlink(place.temp.at("elsewhere"), time);
  CHECK_FALSE(place.trash.keep_bytes(kPath, "x", kNow));
  CHECK(fs::is_empty(place.temp.at("elsewhere")));
}

TEST_CASE("what is erased leaves no empty folders behind") {
  const Place place;
  CHECK(place.trash.items().value().empty());  // there is no trash yet
  const auto one = place.trash.keep_bytes(kPath, "one", kNow);
  const auto two = place.trash.keep_bytes("MEMORY (1).md", "two", kNow);
  REQUIRE(one);
  REQUIRE(two);
  REQUIRE(place.trash.erase(one->item));
  CHECK_FALSE(fs::exists(one->item.folder + "/memory"));
  CHECK(place.read(two->item) == "two");
  REQUIRE(place.trash.erase(two->item));
  CHECK(fs::is_empty(place.temp.at("state/trash")));
}

}  // namespace daybook::state
