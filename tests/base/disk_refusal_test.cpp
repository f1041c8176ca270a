// SPDX-License-Identifier: MIT
//
// What the disk refuses: links, pipes, gaps, ways out of the root, what may not be read.
#include "base/disk_reading.hpp"
#include "daybook/base/disk.hpp"
#include "support/child.hpp"
#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace daybook::base {

namespace fs = std::filesystem;
using support::outcome_of;
using support::run_in_child;
using support::TempFolder;

TEST_CASE("a symbolic link is refused in place of a file or a folder") {
  const TempFolder folder;
  folder.write("note.md", "text");
  folder.make_folder("memory");
  folder.make_link("file-link", "note.md");
  folder.make_link("folder-link", "memory");
  folder.make_link("dangling", "missing");
  folder.make_link("loop", "loop");
  const auto root = opened(folder);
  for (const std::string name : {"file-link", "folder-link", "dangling", "loop"}) {
    CAPTURE(name);
    CHECK(outcome_of(root->open_file(name)) == "not_regular");
    CHECK(outcome_of(root->open_folder(name)) == "not_regular");
  }
}

TEST_CASE("what is missing is not found") {
  const TempFolder folder;
  folder.write("note.md", "");
  const auto root = opened(folder);
  CHECK(outcome_of(root->stat("missing")) == "not_found");
  CHECK(outcome_of(root->open_file("missing")) == "not_found");
  CHECK(outcome_of(root->open_folder("missing")) == "not_found");
  CHECK(outcome_of(root->open_folder("note.md")) == "not_found");  // there is no such folder
  CHECK(outcome_of(real_disk().open_root(folder.at("missing"))) == "not_found");
  CHECK(outcome_of(real_disk().open_root(folder.at("note.md"))) == "not_found");
}

TEST_CASE("an error names what it was about") {
  const TempFolder folder;
  const auto root = opened(folder);
  CHECK(root->open_file("gone.md").error().path == "gone.md");
  CHECK(root->open_file("gone.md").error().message.find("No such file") != std::string::npos);
  CHECK(real_disk().open_root(folder.at("gone")).error().path == folder.at("gone"));
}

TEST_CASE("a folder opened as a file says that it is one and cannot be read") {
  const TempFolder folder;
  folder.make_folder("memory.md");
  auto file = opened(folder)->open_file("memory.md");
  if (file.ok()) {
    CHECK((*file)->stat()->type == EntryType::folder);
    std::array<char, 16> buffer{};
    CHECK_FALSE((*file)->read(buffer).ok());
  } else {
    CHECK(outcome_of(file) != "not_found");
  }
}

TEST_CASE("opening a pipe does not wait for a writer and stat knows that it is no file") {
  const TempFolder folder;
  folder.make_pipe("pipe.md");
  const auto outcome = run_in_child([&folder]() -> std::string {
    auto root = real_disk().open_root(folder.path().string());
    auto file = root.value()->open_file("pipe.md");
    return file.ok() && (*file)->stat()->type == EntryType::other ? "other" : "not so";
  });
  CHECK(outcome.signal == 0);  // SIGALRM: it waited
  CHECK(outcome.answer == "other");
}

TEST_CASE("reading a pipe is an error whether or not somebody writes to it") {
  const TempFolder folder;
  folder.make_pipe("pipe.md");
  const auto outcome = run_in_child([&folder]() -> std::string {
    auto root = real_disk().open_root(folder.path().string());
    std::array<char, 16> buffer{};
    auto lonely = root.value()->open_file("pipe.md");
    const std::string without_writer =
        lonely.ok() ? outcome_of((*lonely)->read(buffer)) : "refused";
    const int writer = ::open(folder.at("pipe.md").c_str(), O_RDWR | O_NONBLOCK);
    auto silent = root.value()->open_file("pipe.md");
    const std::string with_writer = silent.ok() ? outcome_of((*silent)->read(buffer)) : "refused";
    ::close(writer);
    return without_writer + " " + with_writer;
  });
  CHECK(outcome.signal == 0);
  CHECK(outcome.answer == "not_regular not_regular");
}

TEST_CASE("a socket cannot be opened as a file") {
  const TempFolder folder;
  folder.make_socket("socket.md");
  CHECK(outcome_of(opened(folder)->open_file("socket.md")) == "not_regular");
}

TEST_CASE("the root alone may be reached through a link") {
  const TempFolder folder;
  folder.write("vault/note.md", "text");
  folder.make_link("link", "vault");
  auto root = real_disk().open_root(folder.at("link"));
  REQUIRE(root.ok());
  CHECK(listing_of(**root) == Listing{{"note.md", EntryType::file}});
}

TEST_CASE("nested folders are opened part by part") {
  const TempFolder folder;
  folder.write("a/b/c/note.md", "deep");
  folder.write("top.md", "");
  const auto root = opened(folder);
  auto deep = open_below(*root, "a/b/c");
  REQUIRE(deep.ok());
  CHECK(listing_of(**deep) == Listing{{"note.md", EntryType::file}});
  auto file = (*deep)->open_file("note.md");
  REQUIRE(file.ok());
  CHECK(read_whole(**file) == "deep");

  auto one = open_below(*root, "a");
  REQUIRE(one.ok());
  CHECK(listing_of(**one) == Listing{{"b", EntryType::folder}});
}

TEST_CASE("opening nothing below a root gives the root again with a handle of its own") {
  const TempFolder folder;
  folder.write("note.md", "");
  auto root = opened(folder);
  auto same = open_below(*root, "");
  REQUIRE(same.ok());
  root.reset();
  CHECK(listing_of(**same) == Listing{{"note.md", EntryType::file}});
}

TEST_CASE("a link or a gap anywhere below the root stops the way down") {
  const TempFolder folder;
  folder.write("real/inner/note.md", "");
  folder.make_link("link", "real");
  folder.make_link("real/link", "inner");
  const auto root = opened(folder);
  CHECK(outcome_of(open_below(*root, "link")) == "not_regular");
  CHECK(outcome_of(open_below(*root, "link/inner")) == "not_regular");
  CHECK(outcome_of(open_below(*root, "real/link")) == "not_regular");
  CHECK(outcome_of(open_below(*root, "real/missing/inner")) == "not_found");
  CHECK(outcome_of(open_below(*root, "missing")) == "not_found");
  CHECK(outcome_of(open_below(*root, "real/inner/note.md")) == "not_found");
  CHECK(open_below(*root, "real/inner").ok());
}

TEST_CASE("a name of several parts cannot be opened") {
  const TempFolder folder;
  folder.write("real/inner/note.md", "secret");
  folder.make_link("link", "real");
  const auto root = opened(folder);
  CHECK_FALSE(root->open_file("link/inner/note.md").ok());  // would go through the link
  CHECK_FALSE(root->open_folder("link/inner").ok());
  CHECK_FALSE(root->stat("link/inner").ok());
  CHECK_FALSE(root->open_file("real/inner/note.md").ok());
  CHECK_FALSE(root->open_folder("real/inner").ok());
  CHECK_FALSE(root->open_file(folder.at("real/inner/note.md")).ok());  // absolute
  CHECK_FALSE(root->open_folder("/").ok());
}

TEST_CASE("two dots do not lead out of the root") {
  const TempFolder folder;
  folder.write("outside.md", "");
  folder.make_folder("vault/memory");
  auto root = real_disk().open_root(folder.at("vault"));
  REQUIRE(root.ok());
  CHECK_FALSE((*root)->open_folder("..").ok());
  CHECK_FALSE(open_below(**root, "..").ok());
  CHECK_FALSE(open_below(**root, "../vault").ok());
  CHECK_FALSE(open_below(**root, "memory/../..").ok());
}

TEST_CASE("a folder held open stays the same when its name is given to a link") {
  const TempFolder folder;
  folder.write("vault/memory/note.md", "inside");
  folder.write("elsewhere/secret.md", "outside");
  auto root = real_disk().open_root(folder.at("vault"));
  REQUIRE(root.ok());
  auto memory = (*root)->open_folder("memory");
  REQUIRE(memory.ok());

  fs::rename(folder.at("vault/memory"), folder.at("vault/moved"));
  folder.make_link("vault/memory", folder.at("elsewhere"));

  CHECK(listing_of(**memory) == Listing{{"note.md", EntryType::file}});
  CHECK(outcome_of((*memory)->open_file("secret.md")) == "not_found");
  CHECK(outcome_of((*root)->open_folder("memory")) == "not_regular");
}

TEST_CASE("what may not be read is not permitted rather than missing or empty") {
  const TempFolder folder;
  folder.write("locked/note.md", "");
  folder.write("enterable/note.md", "");
  folder.write("secret.md", "x");
  fs::permissions(folder.at("locked"), fs::perms::none);
  fs::permissions(folder.at("enterable"), static_cast<fs::perms>(0111));
  fs::permissions(folder.at("secret.md"), fs::perms::none);

  const auto outcome = run_in_child([&folder]() -> std::string {
    if (!support::drop_privileges()) {
      return "cannot become nobody";
    }
    auto root = real_disk().open_root(folder.path().string());
    if (!root.ok()) {
      return "no root";
    }
    return outcome_of((*root)->open_folder("locked")) + " " +
           outcome_of((*root)->open_folder("enterable")) + " " +
           outcome_of((*root)->open_file("secret.md")) + " " +
           outcome_of(real_disk().open_root(folder.at("locked"))) + " " +
           outcome_of((*root)->stat("secret.md"));
  });
  if (outcome.answer == "cannot become nobody") {
    WARN("not tested: " << outcome.answer);
    return;
  }
  CHECK(outcome.answer == "not_permitted not_permitted not_permitted not_permitted ok");
}

TEST_CASE("a folder that may be listed but not entered never looks empty") {
  const TempFolder folder;
  folder.write("listable/note.md", "");
  fs::permissions(folder.at("listable"), static_cast<fs::perms>(0444));
  const auto outcome = run_in_child([&folder]() -> std::string {
    if (!support::drop_privileges()) {
      return "cannot become nobody";
    }
    auto root = real_disk().open_root(folder.path().string());
    auto inner = root.value()->open_folder("listable");
    if (!inner.ok()) {
      return "not opened";
    }
    std::string names;
    const auto listed =
        (*inner)->list([&names](std::string_view name, EntryType) { names += name; });
    // Listing needs a second handle, for which the folder must be entered: an error, never a
    // listing without names.
    const std::string seen = listed.ok() ? names : outcome_of(listed);
    return seen + " " + outcome_of((*inner)->stat("note.md"));
  });
  if (outcome.answer == "cannot become nobody") {
    WARN("not tested: " << outcome.answer);
    return;
  }
  const bool honest =
      outcome.answer == "note.md not_permitted" || outcome.answer == "not_permitted not_permitted";
  CAPTURE(outcome.answer);
  CHECK(honest);
}

TEST_CASE("handles are given back") {
  const auto open_handles = [] {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/dev/fd")) {
      ++count;
    }
    return count;
  };
  const TempFolder folder;
  folder.write("a/note.md", "x");
  folder.make_link("link", "a");
  const std::size_t before = open_handles();
  for (int round = 0; round < 50; ++round) {
    const auto root = opened(folder);
    listing_of(*root);
    CHECK(open_below(*root, "a").ok());
    CHECK_FALSE(open_below(*root, "link").ok());
    CHECK(root->open_folder("a").value()->open_file("note.md").ok());
  }
  CHECK(open_handles() == before);
}

}  // namespace daybook::base
