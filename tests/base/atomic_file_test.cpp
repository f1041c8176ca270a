// SPDX-License-Identifier: MIT
#include "daybook/base/atomic_file.hpp"

#include "support/child.hpp"
#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

namespace fs = std::filesystem;
using support::outcome_of;
using support::run_in_child;
using support::TempFolder;
using Names = std::vector<std::string>;

unsigned mode_of(const std::string& path) {
  struct stat raw {};
  REQUIRE(::lstat(path.c_str(), &raw) == 0);
  return raw.st_mode & 07777U;
}

std::size_t open_handles() {
  const fs::directory_iterator handles("/dev/fd");
  return static_cast<std::size_t>(std::distance(begin(handles), end(handles)));
}

}  // namespace

TEST_CASE("a commit gives a new file its name and its bytes") {
  const TempFolder folder;
  const std::string bytes("line\r\n\0\xFF", 8);
  CHECK(write_file_atomically(folder.at("note.md"), bytes, IfExists::replace).ok());
  CHECK(folder.read("note.md") == bytes);
  CHECK(write_file_atomically(folder.at("empty.md"), "", IfExists::keep).ok());
  CHECK(folder.read("empty.md").empty());
  CHECK(folder.names() == Names{"empty.md", "note.md"});
}

TEST_CASE("a commit replaces an existing file whole") {
  const TempFolder folder;
  folder.write("note.md", "an old and much longer text");
  CHECK(write_file_atomically(folder.at("note.md"), "new", IfExists::replace).ok());
  CHECK(folder.read("note.md") == "new");
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("until the commit the old file is what everybody reads") {
  const TempFolder folder;
  folder.write("note.md", "old");
  auto file = AtomicFile::create(folder.at("note.md"));
  REQUIRE(file.ok());
  CHECK(file->write("new, ").ok());
  CHECK(file->write("in pieces").ok());
  CHECK(folder.read("note.md") == "old");
  CHECK(file->commit(IfExists::replace).ok());
  CHECK(folder.read("note.md") == "new, in pieces");
}

TEST_CASE("the temporary lies beside the file under a name that scans ignore") {
  const TempFolder folder;
  auto file = AtomicFile::create(folder.at("note.md"));
  REQUIRE(file.ok());
  const Names names = folder.names();
  REQUIRE(names.size() == 1);
  CHECK(is_temporary_name(names.front()));
  CHECK(names.front().starts_with("."));
}

TEST_CASE("without a commit nothing remains") {
  const TempFolder folder;
  folder.write("note.md", "old");
  const std::size_t handles = open_handles();
  for (int round = 0; round < 3; ++round) {
    auto file = AtomicFile::create(folder.at("note.md"));
    REQUIRE(file.ok());
    CHECK(file->write("never to be seen").ok());
  }
  CHECK(folder.names() == Names{"note.md"});
  CHECK(folder.read("note.md") == "old");
  CHECK(open_handles() == handles);
}

TEST_CASE("a commit gives its handles back") {
  const TempFolder folder;
  const std::size_t handles = open_handles();
  for (int round = 0; round < 20; ++round) {
    CHECK(write_file_atomically(folder.at("note.md"), "x", IfExists::replace).ok());
    CHECK_FALSE(write_file_atomically(folder.at("note.md"), "x", IfExists::keep).ok());
    CHECK_FALSE(write_file_atomically(folder.at("gone/note.md"), "x", IfExists::keep).ok());
  }
  CHECK(open_handles() == handles);
}

TEST_CASE("an immutable file is created once and then kept") {
  const TempFolder folder;
  CHECK(write_file_atomically(folder.at("note.md"), "first", IfExists::keep).ok());
  const auto second = write_file_atomically(folder.at("note.md"), "second", IfExists::keep);
  CHECK(outcome_of(second) == "already_exists");
  CHECK(second.error().path == folder.at("note.md"));
  CHECK(folder.read("note.md") == "first");
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("keeping means keeping whatever has the name") {
  const TempFolder folder;
  folder.make_link("dangling.md", "missing");
  folder.write("target", "untouched");
  folder.make_link("link.md", "target");
  folder.make_folder("folder.md");
  for (const std::string name : {"dangling.md", "link.md", "folder.md"}) {
    CAPTURE(name);
    CHECK(outcome_of(write_file_atomically(folder.at(name), "x", IfExists::keep)) ==
          "already_exists");
  }
  CHECK(fs::read_symlink(folder.at("dangling.md")) == "missing");
  CHECK(fs::read_symlink(folder.at("link.md")) == "target");
  CHECK(fs::is_directory(folder.at("folder.md")));
  CHECK(folder.read("target") == "untouched");
  CHECK_FALSE(fs::exists(folder.at("missing")));
  CHECK(folder.names() == Names{"dangling.md", "folder.md", "link.md", "target"});
}

TEST_CASE("replacing a link replaces the link and not what it leads to") {
  const TempFolder folder;
  folder.write("target", "untouched");
  folder.make_link("link.md", "target");
  CHECK(write_file_atomically(folder.at("link.md"), "new", IfExists::replace).ok());
  CHECK(folder.read("target") == "untouched");
  CHECK_FALSE(fs::is_symlink(folder.at("link.md")));
  CHECK(folder.read("link.md") == "new");
}

TEST_CASE("a folder that has the name is not replaced") {
  const TempFolder folder;
  folder.write("note.md/inner", "x");
  CHECK_FALSE(write_file_atomically(folder.at("note.md"), "x", IfExists::replace).ok());
  CHECK(folder.read("note.md/inner") == "x");
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("a synced file has its bytes before it has its name") {
  const TempFolder folder;
  auto file = AtomicFile::create(folder.at("note.md"));
  REQUIRE(file.ok());
  REQUIRE(file->write("one").ok());
  REQUIRE(file->sync().ok());
  REQUIRE(folder.names().size() == 1);
  CHECK(is_temporary_name(folder.names()[0]));
  CHECK(folder.read(folder.names()[0]) == "one");
  REQUIRE(file->write(" two").ok());
  REQUIRE(file->commit(IfExists::replace).ok());
  CHECK(folder.names() == Names{"note.md"});
  CHECK(folder.read("note.md") == "one two");
  CHECK_FALSE(file->sync().ok());
}

TEST_CASE("in a folder held open a file is made there, wherever the path leads by now") {
  const TempFolder folder;
  folder.make_folder("real");
  folder.make_folder("other");
  const int held = ::open(folder.at("real").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(held >= 0);
  fs::rename(folder.at("real"), folder.at("moved"));
  folder.make_link("real", folder.at("other"));
  {
    auto file = AtomicFile::create_in(held, folder.at("real/note.md"));
    REQUIRE(file.ok());
    REQUIRE(file->write("here").ok());
    REQUIRE(file->commit(IfExists::replace).ok());
  }
  CHECK(::fcntl(held, F_GETFD) >= 0);  // still the caller's
  ::close(held);
  CHECK(folder.read("moved/note.md") == "here");
  CHECK(fs::is_empty(folder.at("other")));
}

TEST_CASE("a path without a name or a folder that is missing is refused") {
  const TempFolder folder;
  for (const std::string& path :
       {std::string(), folder.at("") + "/", folder.at("."), folder.at(".."), std::string("/")}) {
    CAPTURE(path);
    const auto file = AtomicFile::create(path);
    REQUIRE_FALSE(file.ok());
    CHECK(file.error().kind == ErrorKind::usage);
  }
  const auto missing = AtomicFile::create(folder.at("gone/note.md"));
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::not_found);
  CHECK(folder.names().empty());
}

TEST_CASE("a name alone is written into the current folder") {
  const TempFolder folder;
  const auto outcome = run_in_child([&folder] {
    fs::current_path(folder.path());
    return outcome_of(write_file_atomically("note.md", "here", IfExists::keep));
  });
  CHECK(outcome.answer == "ok");
  CHECK(folder.read("note.md") == "here");
}

TEST_CASE("files get the mode that was asked for") {
  const TempFolder folder;
  const auto outcome = run_in_child([&folder] {
    ::umask(022);
    const auto write = [&folder](const char* name, IfExists policy, mode_t mode) {
      return outcome_of(write_file_atomically(folder.at(name), name, policy, mode)) + " ";
    };
    std::string answer =
        outcome_of(write_file_atomically(folder.at("default"), "x", IfExists::keep)) + " ";
    answer += write("open", IfExists::keep, 0644);
    answer += write("private", IfExists::keep, 0600);
    answer += write("replaced", IfExists::keep, 0644);
    answer += write("replaced", IfExists::replace, 0600);
    return answer;
  });
  REQUIRE(outcome.answer == "ok ok ok ok ok ");
  CHECK(mode_of(folder.at("default")) == 0644);
  CHECK(mode_of(folder.at("open")) == 0644);
  CHECK(mode_of(folder.at("private")) == 0600);
  CHECK(mode_of(folder.at("replaced")) == 0600);
}

TEST_CASE("without a mode a file keeps that of the one it replaces, whatever the umask") {
  const TempFolder folder;
  for (const mode_t mode : {0600U, 0640U, 0664U, 0444U}) {
    CAPTURE(mode);
    folder.write("note.md", "old");
    fs::permissions(folder.at("note.md"), static_cast<fs::perms>(mode));
    const auto outcome = run_in_child([&folder] {
      ::umask(027);
      return outcome_of(write_file_atomically(folder.at("note.md"), "new", IfExists::replace));
    });
    CHECK(outcome.answer == "ok");
    CHECK(folder.read("note.md") == "new");
    CHECK(mode_of(folder.at("note.md")) == mode);
    fs::remove(folder.at("note.md"));
  }
}

TEST_CASE("without a mode a new file allows what its folder allows, and no more than the umask") {
  const TempFolder folder;
  struct Case {
    mode_t folder;
    mode_t umask;
    mode_t file;
  };
  for (const Case& one : {Case{0755, 022, 0644},
                          Case{0755, 0, 0644},
                          Case{0700, 0, 0600},
                          Case{0750, 022, 0640},
                          Case{0775, 002, 0664},
                          Case{0775, 077, 0600},
                          Case{02770, 002, 0660}}) {
    CAPTURE(one.folder, one.umask);
    folder.make_folder("place");
    fs::permissions(folder.at("place"), static_cast<fs::perms>(one.folder));
    const auto outcome = run_in_child([&folder, &one] {
      ::umask(one.umask);
      return outcome_of(write_file_atomically(folder.at("place/note.md"), "x", IfExists::keep));
    });
    CHECK(outcome.answer == "ok");
    CHECK(mode_of(folder.at("place/note.md")) == one.file);
    fs::remove_all(folder.at("place"));
  }
}

TEST_CASE("a temporary is as private as the file will be") {
  const TempFolder folder;
  auto file = AtomicFile::create(folder.at("private"), 0600);
  REQUIRE(file.ok());
  CHECK(mode_of(folder.at(folder.names().front())) == 0600);
}

TEST_CASE("a folder that may not be written into is not permitted") {
  const TempFolder folder;
  folder.write("locked/note.md", "old");
  fs::permissions(folder.at("locked"), static_cast<fs::perms>(0555));
  const auto outcome = run_in_child([&folder]() -> std::string {
    if (!support::drop_privileges()) {
      return "cannot become nobody";
    }
    return outcome_of(write_file_atomically(folder.at("locked/note.md"), "x", IfExists::replace));
  });
  if (outcome.answer == "cannot become nobody") {
    WARN("not tested: " << outcome.answer);
    return;
  }
  CHECK(outcome.answer == "not_permitted");
  CHECK(folder.read("locked/note.md") == "old");
}

}  // namespace daybook::base
