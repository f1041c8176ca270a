// SPDX-License-Identifier: MIT
#include "daybook/scan/file_reader.hpp"

#include "daybook/base/disk.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

namespace {

using daybook::ErrorKind;
using daybook::scan::FileReader;
using daybook::support::TempFolder;

struct Reading {
  explicit Reading(const TempFolder& folder)
      : root(std::move(daybook::base::real_disk().open_root(folder.path().string())).value()),
        reader(*root) {}
  std::unique_ptr<daybook::base::Folder> root;
  FileReader reader;
};

constexpr std::uint64_t kNoLimit = 1ULL << 40U;

}  // namespace

TEST_CASE("A small file comes whole") {
  const TempFolder folder;
  folder.write("a/b/note.md", "hello");
  Reading reading(folder);
  const auto opened = reading.reader.open("a/b", "note.md", kNoLimit);
  REQUIRE(opened.ok());
  CHECK(opened->complete);
  CHECK(opened->size == 5);
  CHECK(opened->first_piece == "hello");
}

TEST_CASE("A large file comes in pieces that make it up") {
  const TempFolder folder;
  for (const std::size_t extra : {std::size_t{0}, std::size_t{1}, FileReader::kPieceSize}) {
    std::string text(FileReader::kPieceSize + extra, 'x');
    text.front() = 'a';
    text.back() = 'z';
    folder.write("note.md", text);
    Reading reading(folder);
    const auto opened = reading.reader.open("", "note.md", kNoLimit);
    REQUIRE(opened.ok());
    CHECK_FALSE(opened->complete);
    std::string together(opened->first_piece);
    for (auto piece = reading.reader.next_piece(); !piece.value().empty();
         piece = reading.reader.next_piece()) {
      together += piece.value();
    }
    CHECK(together == text);
  }
}

TEST_CASE("A file over the limit is not read") {
  const TempFolder folder;
  folder.write("note.md", "12345");
  std::filesystem::resize_file(folder.at("note.md"), 3ULL << 30U);  // sparse
  Reading reading(folder);
  const auto opened = reading.reader.open("", "note.md", 1ULL << 30U);
  REQUIRE(opened.ok());
  CHECK(opened->too_large);
  CHECK(opened->first_piece.empty());
}

TEST_CASE("Links, pipes and absent files are errors, and the reader goes on") {
  const TempFolder folder;
  folder.write("real.md", "x");
  folder.make_link("link.md", folder.at("real.md"));
  folder.make_pipe("pipe.md");
  folder.make_folder("folder.md");
  Reading reading(folder);
  CHECK(reading.reader.open("", "link.md", kNoLimit).error().kind == ErrorKind::not_regular);
  CHECK(reading.reader.open("", "pipe.md", kNoLimit).error().kind == ErrorKind::not_regular);
  CHECK(reading.reader.open("", "folder.md", kNoLimit).error().kind == ErrorKind::not_regular);
  CHECK(reading.reader.open("", "absent.md", kNoLimit).error().kind == ErrorKind::not_found);
  CHECK(reading.reader.open("absent", "real.md", kNoLimit).error().kind == ErrorKind::not_found);
  CHECK(reading.reader.open("", "real.md", kNoLimit)->first_piece == "x");
}

TEST_CASE("A folder replaced by a link between two readings leads nowhere") {
  const TempFolder folder;
  folder.write("sub/note.md", "mine");
  folder.write("outside/note.md", "secret");
  Reading reading(folder);
  REQUIRE(reading.reader.open("sub", "note.md", kNoLimit).ok());
  Reading later(folder);
  std::filesystem::remove_all(folder.at("sub"));
  folder.make_link("sub", folder.at("outside"));
  CHECK(later.reader.open("sub", "note.md", kNoLimit).error().kind == ErrorKind::not_regular);
}
