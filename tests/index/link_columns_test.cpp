// SPDX-License-Identifier: MIT
#include "index/link_columns.hpp"

#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/writer.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

using namespace daybook::index;
using daybook::support::TempFolder;

namespace {

FileFacts note_with_links(const std::string& folder,
                          const std::string& name,
                          const std::vector<std::string>& targets) {
  FileFacts facts;
  facts.row.folder = folder;
  facts.row.name = name;
  for (const std::string& target : targets) {
    facts.links.push_back({LinkOrigin::wikilink, daybook::lineage::LinkForm::note, 7, target, {}});
  }
  return facts;
}

}  // namespace

TEST_CASE("What two paths share is their ASCII beginning") {
  CHECK(shared_path("memory/a.md", "memory/b.md").shared == 7);
  CHECK(shared_path("memory/a.md", "memory/b.md").rest == "a.md");
  CHECK(shared_path("memory", "memory/b.md").rest.empty());
  CHECK(shared_path("other", "memory/b.md").shared == 0);
  CHECK(shared_path("", "memory/b.md").shared == 0);
  // SQL would count é as one, C++ as two.
  CHECK(shared_path("caf\xC3\xA9/a.md", "caf\xC3\xA9/b.md").shared == 3);
}

TEST_CASE("A link is read back as it was written, whatever it shares with its note") {
  const TempFolder folder;
  const std::string path = folder.at("index.db");
  auto build = IndexBuild::begin(path, 1, 1);
  REQUIRE(build);
  const std::vector<std::string> targets{"memory/caf\xC3\xA9/sibling.md",
                                         "memory/caf\xC3\xA9/n\xC3\xB6te.md",
                                         "memory",
                                         "elsewhere",
                                         "memory/caf\xC3\xA9/n\xC3\xB6te.md and more"};
  {
    auto writer = Writer::make(build->database());
    REQUIRE(writer);
    REQUIRE(writer->put_file(note_with_links("memory/caf\xC3\xA9", "n\xC3\xB6te.md", targets)));
    REQUIRE(writer->put_file(note_with_links("memory", "other.md", {"elsewhere"})));
  }
  REQUIRE(build->complete());
  REQUIRE(build->install());
  auto reader = Reader::open(path);
  REQUIRE(reader);
  const auto links = reader->links_from("memory/caf\xC3\xA9/n\xC3\xB6te.md");
  REQUIRE(links);
  std::vector<std::string> read;
  for (const FoundLink& found : *links) {
    read.push_back(found.link.target);
  }
  CHECK(read == targets);
  const auto back = reader->links_to("elsewhere");
  REQUIRE(back);
  REQUIRE(back->size() == 2);
  CHECK(back->back().source == "memory/caf\xC3\xA9/n\xC3\xB6te.md");
  CHECK(reader->links_to("elsewher")->empty());

  // The view for other programs says the same.
  auto database = daybook::store::Database::open(path, {daybook::store::Access::read_only, 1000});
  REQUIRE(database);
  auto select = database->prepare("SELECT target FROM links WHERE source_path LIKE '%te.md'");
  REQUIRE(select);
  std::vector<std::string> viewed;
  REQUIRE(select->each([&](const daybook::store::Row& row) { viewed.emplace_back(row.text(0)); }));
  CHECK(viewed == targets);
}

TEST_CASE("Targets whose marks collide are told apart") {
  std::unordered_map<std::int64_t, std::string> by_mark;
  std::string one;
  std::string other;
  for (int i = 0; one.empty(); ++i) {
    const std::string target = "note " + std::to_string(i);
    const auto [known, is_new] = by_mark.emplace(target_mark(target), target);
    if (!is_new) {
      one = known->second;
      other = target;
    }
  }
  const TempFolder folder;
  auto build = IndexBuild::begin(folder.at("index.db"), 1, 1);
  REQUIRE(build);
  auto writer = Writer::make(build->database());
  REQUIRE(writer);
  REQUIRE(writer->put_file(note_with_links("memory", "a.md", {one})));
  FileFacts resolving = note_with_links("memory", "b.md", {other, "elsewhere"});
  resolving.links[0].resolved = other;
  resolving.links[1].resolved = one;
  REQUIRE(writer->put_file(resolving));
  Reader reader(build->database());
  const auto found = reader.links_to(one);
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK((*found)[0].source == "memory/a.md");
  CHECK((*found)[0].link.resolved.empty());
  CHECK((*found)[1].source == "memory/b.md");
  CHECK((*found)[1].link.target == "elsewhere");
  const auto as_written = reader.links_to(other);
  REQUIRE(as_written);
  REQUIRE(as_written->size() == 1);
  CHECK(as_written->front().link.resolved == other);
}

TEST_CASE("A file holds so many links, and one more is refused") {
  const TempFolder folder;
  auto build = IndexBuild::begin(folder.at("index.db"), 1, 1);
  REQUIRE(build);
  auto writer = Writer::make(build->database());
  REQUIRE(writer);
  const std::vector<std::string> most(kMostLinksOfFile, "x");
  REQUIRE(writer->put_file(note_with_links("memory", "a.md", most)));
  REQUIRE(writer->put_file(note_with_links("memory", "b.md", {"y"})));
  Reader reader(build->database());
  CHECK(reader.links_from("memory/a.md")->size() == kMostLinksOfFile);
  CHECK(reader.links_from("memory/b.md")->size() == 1);
  std::vector<std::string> too_many = most;
  too_many.emplace_back("x");
  CHECK_FALSE(writer->put_file(note_with_links("memory", "c.md", too_many)));
}
