// SPDX-License-Identifier: MIT
#include "daybook/canon/unlink_file.hpp"

#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

namespace daybook::canon {
namespace {

namespace fs = std::filesystem;
using support::TempFolder;

Result<Unlinked> unlink(const TempFolder& folder, const std::string& path, std::string_view bytes) {
  return unlink_unchanged(base::real_disk(), folder.path().string(), path, base::sha256(bytes));
}

}  // namespace

TEST_CASE("a file goes only with the bytes that it is known by") {
  const TempFolder folder;
  folder.write("memory/sub/note.md", "these");
  CHECK(unlink(folder, "memory/sub/note.md", "others").value() == Unlinked::has_changed);
  CHECK(folder.read("memory/sub/note.md") == "these");
  CHECK(unlink(folder, "memory/sub/note.md", "these").value() == Unlinked::done);
  CHECK_FALSE(fs::exists(folder.at("memory/sub/note.md")));
  CHECK(unlink(folder, "memory/sub/note.md", "these").value() == Unlinked::was_not_there);
}

TEST_CASE("outside memory/ only copies of MEMORY.md may go") {
  const TempFolder folder;
  for (const std::string path : {"MEMORY 2.md",
                                 "MEMORY.sync-conflict-20260328-223406-ABCDEFG.md",
                                 "agents/scribe/MEMORY (1).md"}) {
    folder.write(path, "text");
    CAPTURE(path);
    CHECK(unlink(folder, path, "text").value() == Unlinked::done);
    CHECK_FALSE(fs::exists(folder.at(path)));
  }
  for (const std::string path : {"MEMORY.md",
                                 "Plan 2.md",
                                 "agents/scribe/MEMORY.md",
                                 "agents/scribe/deep/MEMORY 2.md",
                                 "other/MEMORY 2.md",
                                 "../MEMORY 2.md"}) {
    CAPTURE(path);
    const auto refused = unlink(folder, path, "text");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("no link is followed on the way to what goes") {
  const TempFolder folder;
  folder.write("outside/note.md", "text");
  folder.make_folder("memory");
  folder.make_link("memory/way", folder.at("outside"));
  folder.make_link("memory/note.md", folder.at("outside/note.md"));
  CHECK_FALSE(unlink(folder, "memory/way/note.md", "text"));
  CHECK_FALSE(unlink(folder, "memory/note.md", "text"));
  CHECK(folder.read("outside/note.md") == "text");
}

}  // namespace daybook::canon
