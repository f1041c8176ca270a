// SPDX-License-Identifier: MIT
#include "daybook/base/disk.hpp"

#include "base/disk_reading.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace daybook::base {

using support::TempFolder;

TEST_CASE("a listing names every entry but the dots with its type") {
  const TempFolder folder;
  folder.write("note.md", "text");
  folder.write(".hidden", "");
  folder.write("line\nbreak.md", "");
  folder.write("broken\xFF.md", "");
  folder.make_folder("memory");
  folder.make_link("to-file", "note.md");
  folder.make_link("to-folder", "memory");
  folder.make_link("to-nowhere", "missing");
  folder.make_pipe("pipe");
  folder.make_socket("socket");

  CHECK(listing_of(*opened(folder)) == Listing{{"note.md", EntryType::file},
                                               {".hidden", EntryType::file},
                                               {"line\nbreak.md", EntryType::file},
                                               {"broken\xFF.md", EntryType::file},
                                               {"memory", EntryType::folder},
                                               {"to-file", EntryType::symlink},
                                               {"to-folder", EntryType::symlink},
                                               {"to-nowhere", EntryType::symlink},
                                               {"pipe", EntryType::other},
                                               {"socket", EntryType::other}});
}

TEST_CASE("an empty folder has an empty listing") {
  const TempFolder folder;
  CHECK(listing_of(*opened(folder)).empty());
}

TEST_CASE("a folder held open is listed afresh each time") {
  const TempFolder folder;
  folder.write("one", "");
  const auto root = opened(folder);
  CHECK(listing_of(*root).size() == 1);
  CHECK(listing_of(*root).size() == 1);
  folder.write("two", "");
  CHECK(listing_of(*root).size() == 2);
}

TEST_CASE("a large folder is listed whole and each name once") {
  constexpr std::size_t kMany = 1000;
  const TempFolder folder;
  for (std::size_t i = 0; i < kMany; ++i) {
    folder.write("a-name-of-some-length-" + std::to_string(i), "");
  }
  std::vector<std::string> names;
  REQUIRE(opened(folder)
              ->list([&names](std::string_view name, EntryType) { names.emplace_back(name); })
              .ok());
  std::sort(names.begin(), names.end());
  CHECK(names.size() == kMany);
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("a file is read in pieces up to its end") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 40'000; ++i) {
    text += static_cast<char>('a' + i % 23);
  }
  folder.write("note.md", text);
  const auto root = opened(folder);
  for (const std::size_t step : {std::size_t{1000}, std::size_t{4096}, std::size_t{100'000}}) {
    auto file = root->open_file("note.md");
    REQUIRE(file.ok());
    CHECK(read_whole(**file, step) == text);
    std::array<char, 16> more{};
    CHECK((*file)->read(more).value() == 0);  // the end stays the end
  }
}

TEST_CASE("fewer bytes than asked for come only at the end") {
  const TempFolder folder;
  folder.write("note.md", "0123456789");
  auto file = opened(folder)->open_file("note.md");
  REQUIRE(file.ok());
  std::array<char, 4> four{};
  CHECK((*file)->read(four).value() == 4);
  CHECK(std::string(four.data(), 4) == "0123");
  CHECK((*file)->read(four).value() == 4);
  CHECK(std::string(four.data(), 4) == "4567");
  CHECK((*file)->read(four).value() == 2);
  CHECK(std::string(four.data(), 2) == "89");
  CHECK((*file)->read({}).value() == 0);
}

TEST_CASE("stat tells size and times and identity of a file") {
  const TempFolder folder;
  folder.write("note.md", "12345");
  const std::array<timespec, 2> times{timespec{1'700'000'000, 1},
                                      timespec{1'711'665'246, 792'000'123}};
  REQUIRE(::utimensat(AT_FDCWD, folder.at("note.md").c_str(), times.data(), 0) == 0);
  struct stat raw {};
  REQUIRE(::stat(folder.at("note.md").c_str(), &raw) == 0);

  const auto root = opened(folder);
  auto file = root->open_file("note.md");
  REQUIRE(file.ok());
  for (const auto& known : {root->stat("note.md"), (*file)->stat()}) {
    REQUIRE(known.ok());
    CHECK(known->type == EntryType::file);
    CHECK(known->size == 5);
    CHECK(known->mtime_ns == 1'711'665'246'792'000'123);
    CHECK(known->ctime_ns == raw.st_ctim.tv_sec * 1'000'000'000 + raw.st_ctim.tv_nsec);
    CHECK(known->inode == raw.st_ino);
    CHECK(known->device == raw.st_dev);
  }
}

TEST_CASE("stat tells the type without following a link") {
  const TempFolder folder;
  folder.write("note.md", "12345");
  folder.make_folder("memory");
  folder.make_link("link", "note.md");
  folder.make_pipe("pipe");
  folder.make_socket("socket");
  const auto root = opened(folder);
  CHECK(root->stat("memory")->type == EntryType::folder);
  CHECK(root->stat("link")->type == EntryType::symlink);
  CHECK(root->stat("link")->size == std::string("note.md").size());
  CHECK(root->stat("pipe")->type == EntryType::other);
  CHECK(root->stat("socket")->type == EntryType::other);
}

}  // namespace daybook::base
