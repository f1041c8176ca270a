// SPDX-License-Identifier: MIT
#include "daybook/base/file_stream.hpp"

#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::base {
namespace {

const std::string kLarge(700'000, 'x');  // more than one piece

}  // namespace

TEST_CASE("a file arrives whole, in pieces, whatever its size") {
  const support::TempFolder folder;
  for (const std::string& bytes : {std::string(), std::string("short"), kLarge}) {
    folder.write("a/b/file", bytes);
    std::string read;
    REQUIRE(stream_file(real_disk(), folder.path(), "a/b/file", [&](std::string_view piece) {
      read.append(piece);
      return Result<void>();
    }));
    CHECK(read == bytes);
    CHECK(hash_file(real_disk(), folder.path(), "a/b/file").value() == sha256(bytes));
    CHECK(read_file(real_disk(), folder.path(), "a/b/file", kLarge.size()).value() == bytes);
  }
  folder.write("top", "at the root");
  CHECK(read_file(real_disk(), folder.path(), "top", 100).value() == "at the root");
}

TEST_CASE("what is no file of ours to read is an error of its kind") {
  const support::TempFolder folder;
  folder.write("large", kLarge);
  folder.write("elsewhere/file", "secret");
  folder.make_link("link", folder.at("large"));
  folder.make_link("way", folder.at("elsewhere"));
  const auto kind = [&](const std::string& path) {
    const auto read = read_file(real_disk(), folder.path(), path, kLarge.size() - 1);
    REQUIRE_FALSE(read);
    CHECK(!read.error().path.empty());
    return read.error().kind;
  };
  CHECK(kind("missing") == ErrorKind::not_found);
  CHECK(kind("large") == ErrorKind::damaged);
  CHECK(kind("link") == ErrorKind::not_regular);
  CHECK_FALSE(read_file(real_disk(), folder.path(), "way/file", 100));
  CHECK_FALSE(hash_file(real_disk(), folder.path(), "elsewhere"));
}

TEST_CASE("whoever takes the pieces may end the reading") {
  const support::TempFolder folder;
  folder.write("large", kLarge);
  int pieces = 0;
  const auto stopped = stream_file(real_disk(), folder.path(), "large", [&](std::string_view) {
    ++pieces;
    return Result<void>(Error{ErrorKind::busy, "enough", {}, {}});
  });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::busy);
  CHECK(pieces == 1);
}

}  // namespace daybook::base
