// SPDX-License-Identifier: MIT
#include "daybook/scan/note_names.hpp"

#include "daybook/base/disk.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

namespace {

using daybook::scan::NoteNames;
using daybook::scan::Resolution;
using daybook::scan::VaultListing;
using daybook::support::TempFolder;

NoteNames list(const TempFolder& folder) {
  auto root = daybook::base::real_disk().open_root(folder.path().string());
  REQUIRE(root.ok());
  std::filesystem::create_directories(folder.path() / "memory");
  const auto memory = VaultListing::list(**root);
  REQUIRE(memory.ok());
  return NoteNames::list(**root, *memory);
}

std::string resolve(const NoteNames& names, std::string_view target, std::string_view from = "") {
  const Resolution found = names.resolve(target, from);
  switch (found.outcome) {
    case Resolution::Outcome::missing:
      return "missing";
    case Resolution::Outcome::ambiguous:
      return "ambiguous";
    case Resolution::Outcome::found:
      break;
  }
  return found.path;
}

}  // namespace

TEST_CASE("A name resolves as in Obsidian: exact path, own folder, shortest path") {
  const TempFolder folder;
  folder.write("Plan.md", "");
  folder.write("work/Plan.md", "");
  folder.write("work/Only here.md", "");
  folder.write("a/long/way/Deep.md", "");
  folder.write("b/Deep.md", "");
  const NoteNames names = list(folder);
  CHECK(resolve(names, "Plan") == "Plan.md");
  CHECK(resolve(names, "work/Plan") == "work/Plan.md");
  CHECK(resolve(names, "work/Plan.md") == "work/Plan.md");
  CHECK(resolve(names, "Only here", "elsewhere") == "work/Only here.md");
  CHECK(resolve(names, "Deep", "a/long/way") == "a/long/way/Deep.md");
  CHECK(resolve(names, "Deep") == "b/Deep.md");
  CHECK(resolve(names, "way/Deep") == "a/long/way/Deep.md");
  CHECK(resolve(names, "ay/Deep") == "missing");
  CHECK(resolve(names, "Nowhere") == "missing");
}

TEST_CASE("Case and Unicode form do not count") {
  const TempFolder folder;
  folder.write("Caf\xC3\xA9.md", "");  // é as one character
  folder.write("SHOUT.MD", "");
  const NoteNames names = list(folder);
  CHECK(resolve(names, "caf\x65\xCC\x81") == "Caf\xC3\xA9.md");  // e and a combining accent
  CHECK(resolve(names, "CAF\xC3\x89") == "Caf\xC3\xA9.md");
  CHECK(resolve(names, "shout") == "SHOUT.MD");
}

TEST_CASE("Two that are equally near are ambiguous") {
  const TempFolder folder;
  folder.write("a/Same.md", "");
  folder.write("b/Same.md", "");
  const NoteNames names = list(folder);
  CHECK(resolve(names, "Same") == "ambiguous");
  CHECK(resolve(names, "Same", "b") == "b/Same.md");
  CHECK(resolve(names, "a/Same") == "a/Same.md");
}

TEST_CASE("Attachments want their extension; hidden folders and links lead nowhere") {
  const TempFolder folder;
  folder.write("img/chart.svg", "");
  folder.write(".obsidian/secret.md", "");
  folder.write("real/note.md", "");
  folder.make_link("linked", folder.at("real"));
  const NoteNames names = list(folder);
  CHECK(resolve(names, "chart.svg") == "img/chart.svg");
  CHECK(resolve(names, "chart") == "missing");
  CHECK(resolve(names, "secret") == "missing");
  CHECK(resolve(names, "linked/note") == "missing");
}

TEST_CASE("Notes and attachments below memory/ resolve, too; artifacts do not") {
  const TempFolder folder;
  folder.write("memory/pinned.md", "");
  folder.write("memory/sub/chart.svg", "");
  folder.write("memory/2026-03-04T05-06-07.008Z--abcdefghijklmnop--summary.md", "");
  folder.write("deep/memory/inner.md", "");
  const NoteNames names = list(folder);
  CHECK(resolve(names, "pinned") == "memory/pinned.md");
  CHECK(resolve(names, "chart.svg") == "memory/sub/chart.svg");
  CHECK(resolve(names, "2026-03-04T05-06-07.008Z--abcdefghijklmnop--summary") == "missing");
  CHECK(resolve(names, "inner") == "deep/memory/inner.md");
}
