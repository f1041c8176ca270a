// SPDX-License-Identifier: MIT
#include "index/link_columns.hpp"

#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/writer.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
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
