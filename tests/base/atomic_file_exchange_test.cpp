// SPDX-License-Identifier: MIT
//
// A new file and the one that has the name change places, and what came out can be looked at.
#include "daybook/base/atomic_file.hpp"
#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::base {
namespace {

using support::outcome_of;
using support::TempFolder;
using Names = std::vector<std::string>;

AtomicFile new_version(const TempFolder& folder) {
  auto file = AtomicFile::create(folder.at("note.md"));
  REQUIRE(file.ok());
  REQUIRE(file->write("new").ok());
  return std::move(file).value();
}

}  // namespace

TEST_CASE("what an exchange displaced can be looked at, and goes in the end") {
  const TempFolder folder;
  folder.write("note.md", "old");
  AtomicFile file = new_version(folder);
  const auto done = file.exchange();
  REQUIRE(done.ok());
  REQUIRE(*done);  // the file systems that tests run on can do it
  CHECK(folder.read("note.md") == "new");
  CHECK(folder.read(file.temporary_name()) == "old");
  CHECK(is_temporary_name(file.temporary_name()));
  CHECK(file.finish_exchange().ok());
  CHECK(folder.names() == Names{"note.md"});
  CHECK(folder.read("note.md") == "new");
}

TEST_CASE("a second exchange puts everything back") {
  const TempFolder folder;
  folder.write("note.md", "old");
  {
    AtomicFile file = new_version(folder);
    REQUIRE(file.exchange().ok());
    REQUIRE(file.exchange().ok());
    CHECK(folder.read("note.md") == "old");
    CHECK(folder.read(file.temporary_name()) == "new");
  }
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("what was displaced can be kept under a name that nobody has") {
  const TempFolder folder;
  folder.write("note.md", "old");
  folder.write("taken.md", "of somebody else");
  AtomicFile file = new_version(folder);
  REQUIRE(file.exchange().ok());
  CHECK(file.keep_temporary_as("copy.md").ok());
  CHECK(folder.names() == Names{"copy.md", "note.md", "taken.md"});
  CHECK(folder.read("copy.md") == "old");

  folder.write("note.md", "old");
  std::string temporary;
  {
    AtomicFile other = new_version(folder);
    REQUIRE(other.exchange().ok());
    temporary = other.temporary_name();
    CHECK(outcome_of(other.keep_temporary_as("taken.md")) == "already_exists");
  }
  CHECK(folder.read("taken.md") == "of somebody else");
  CHECK(folder.read(temporary) == "old");  // rather a leftover than a loss
}

TEST_CASE("there is no exchange with a file that is gone") {
  const TempFolder folder;
  {
    AtomicFile file = new_version(folder);
    CHECK(outcome_of(file.exchange()) == "not_found");
  }
  CHECK(folder.names().empty());
}

}  // namespace daybook::base
