// SPDX-License-Identifier: MIT
//
// Editors that save in the very moment in which a manifest is replaced. Each test brings one such
// moment about; the manifest then has both changes.
#include "canon/swap_file.hpp"

#include "canon/open_writers.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "support/eventually.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace daybook::canon {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;
using support::TempFolder;
using support::WatchedDisk;

// update_manifest reads the file, and once more as its last look.
constexpr int kFirstRead = 1;
constexpr int kLastLook = 2;
constexpr const char* kLine = "\nA person's line.\n";
constexpr const char* kOtherLine = "\nAnother line.\n";

const lineage::Timestamp kNow = lineage::parse_timestamp("2026-04-01T08:00:00.000Z").value();

class Desk {
 public:
  Desk() { session_.write(folder_, "vault"); }

  [[nodiscard]] std::string name() const { return "vault/" + session_.manifest.path(); }
  [[nodiscard]] std::string path() const { return folder_.at(name()); }
  [[nodiscard]] std::string bytes() const { return folder_.read(name()); }
  [[nodiscard]] ino_t inode() const {
    struct stat known {};
    return ::stat(path().c_str(), &known) == 0 ? known.st_ino : 0;
  }

  void save_by_rename(const std::string& text) const {
    folder_.write(name() + ".new", text);
    fs::rename(path() + ".new", path());
  }

  /// With `read` told after each reading of the file.
  Result<ManifestOutcome> update(const std::function<void(int)>& read) const {
    WatchedDisk disk([](int) {}, read);
    const FilePlace place{folder_.at("vault"), session_.manifest.path(), folder_.at("locks")};
    return update_manifest(disk, place, kNow, [](const lineage::Manifest&) {
      return ManifestEdit().set_list("memory_md_refs", {"an update"});
    });
  }

  /// Beside an editor that opens the file before the swap, and goes on after it on a thread of its
  /// own: with the open file, and with what it said.
  Result<ManifestOutcome> update_beside(
      const std::function<void(int, const std::string&)>& go_on) const {
    std::thread editor;
    auto outcome = update([&](int number) {
      if (number != kLastLook) {
        return;
      }
      const int file = ::open(path().c_str(), O_RDWR | O_CLOEXEC);
      editor = std::thread([this, &go_on, file, before = bytes(), old = inode()] {
        const base::Descriptor closed_in_the_end(file);
        static_cast<void>(support::eventually([&] { return inode() != old; }));
        go_on(file, before);
      });
    });
    editor.join();
    return outcome;
  }

  [[nodiscard]] bool is_updated() const {
    return bytes().find("\"an update\"") != std::string::npos;
  }
  /// Names in memory/ beside those that the session has.
  [[nodiscard]] std::vector<std::string> others() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.at("vault/memory"))) {
      const std::string name = entry.path().filename().string();
      if (name != session_.manifest.name && name != session_.summary.name &&
          name != session_.transcript.name) {
        names.push_back(name);
      }
    }
    return names;
  }

 private:
  TempFolder folder_;
  SessionFiles session_{"default", "key-1", "2026-03-28T22:34:06.792Z"};
};

/// On any thread, where Catch2's macros do not work.
void rewrite(int file, const std::string& text) {
  if (::ftruncate(file, 0) != 0 ||
      ::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    std::abort();
  }
}

}  // namespace

TEST_CASE("a save by rename between the last look and the swap is not lost") {
  const Desk desk;
  const auto outcome = desk.update([&desk](int number) {
    if (number == kLastLook) {
      desk.save_by_rename(desk.bytes() + kLine);
    }
  });
  REQUIRE(outcome.ok());
  CHECK(desk.is_updated());
  CHECK(desk.bytes().ends_with(kLine));
  CHECK(desk.others().empty());
}

TEST_CASE("a save into the file between the last look and the swap is not lost") {
  const Desk desk;
  const auto outcome = desk.update([&desk](int number) {
    if (number == kLastLook) {
      const base::Descriptor file(::open(desk.path().c_str(), O_RDWR | O_CLOEXEC));
      rewrite(file.get(), desk.bytes() + kLine);
    }
  });
  REQUIRE(outcome.ok());
  CHECK(desk.is_updated());
  CHECK(desk.bytes().ends_with(kLine));
  CHECK(desk.others().empty());
}

TEST_CASE("a save that was begun before the swap and ends after it is not lost") {
  const Desk desk;
  const auto outcome = desk.update_beside(
      [&desk](int file, const std::string& before) { rewrite(file, before + kLine); });
  REQUIRE(outcome.ok());
  CHECK(desk.is_updated());
  CHECK(desk.bytes().ends_with(kLine));
  CHECK(desk.others().empty());
}

TEST_CASE("of two saves in one moment the second becomes a conflict copy") {
  const Desk desk;
  const auto outcome = desk.update_beside([&desk](int file, const std::string& before) {
    desk.save_by_rename(desk.bytes() + kOtherLine);  // over the new version
    rewrite(file, before + kLine);                   // into the old one
  });
  REQUIRE(outcome.ok());
  CHECK(desk.is_updated());
  CHECK(desk.bytes().ends_with(kLine));
  const auto copies = desk.others();
  REQUIRE(copies.size() == 1);
  CHECK(copies.front().find("--manifest.sync-conflict-") != std::string::npos);
  const std::string copy = fs::path(desk.path()).parent_path() / copies.front();
  std::string text(fs::file_size(copy), '\0');
  const base::Descriptor file(::open(copy.c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(::read(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  CHECK(text.ends_with(kOtherLine));
  CHECK(text.find("\"an update\"") != std::string::npos);
}

TEST_CASE("half of a save is waited for, not taken for a damaged manifest") {
  const Desk desk;
  const std::string whole = desk.bytes() + kLine;
  const int file = ::open(desk.path().c_str(), O_RDWR | O_CLOEXEC);
  rewrite(file, whole.substr(0, 40));
  std::thread editor;
  const auto outcome = desk.update([&](int number) {
    if (number == kFirstRead) {
      editor = std::thread([file, &whole] {
        const base::Descriptor closed_in_the_end(file);
        rewrite(file, whole);
      });
    }
  });
  editor.join();
  REQUIRE(outcome.ok());
  CHECK(desk.is_updated());
  CHECK(desk.bytes().ends_with(kLine));
}

TEST_CASE("a file that a program keeps open for writing is left alone") {
  const Desk desk;
  const std::string before = desk.bytes();
  const base::Descriptor held(::open(desk.path().c_str(), O_RDWR | O_CLOEXEC));
  const auto outcome = desk.update([](int) {});
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::busy);
  CHECK_FALSE(outcome.error().hint.empty());
  CHECK(desk.bytes() == before);
  CHECK(desk.others().empty());
}

TEST_CASE("a half file that a program keeps open for writing is busy, and not called damaged") {
  const Desk desk;
  const base::Descriptor held(::open(desk.path().c_str(), O_RDWR | O_TRUNC | O_CLOEXEC));
  const auto outcome = desk.update([](int) {});
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::busy);
  CHECK(desk.bytes().empty());
  CHECK(desk.others().empty());
}

TEST_CASE("what is saved into the old file after it has lost its name stands beside the new one") {
  const TempFolder folder;
  folder.write("memory/note.md", "old");
  const base::Descriptor parent(::open(folder.at("memory").c_str(), O_DIRECTORY | O_CLOEXEC));
  const base::Descriptor removed(::open(folder.at("memory/note.md").c_str(), O_RDONLY | O_CLOEXEC));
  base::Descriptor late(::open(folder.at("memory/note.md").c_str(), O_RDWR | O_CLOEXEC));
  folder.write("memory/note.md.new", "new");
  fs::rename(folder.at("memory/note.md.new"), folder.at("memory/note.md"));
  const auto names = [&folder] {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder.at("memory"))) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  };

  SECTION("saved") {
    rewrite(late.get(), "a person's line");
    late.close();
    REQUIRE(keep_late_save(parent.get(), removed.get(), "old", "memory/note.md").ok());
    REQUIRE(names().size() == 2);
    CHECK(folder.read("memory/note.md") == "new");
    CHECK(names().back().starts_with("note.sync-conflict-"));
    CHECK(folder.read("memory/" + names().back()) == "a person's line");
  }
  SECTION("opened only") {
    late.close();
    REQUIRE(keep_late_save(parent.get(), removed.get(), "old", "memory/note.md").ok());
    CHECK(names() == std::vector<std::string>{"note.md"});
  }
}

TEST_CASE("waiting for writers leaves no trace") {
  const Desk desk;
  const base::Descriptor reading(::open(desk.path().c_str(), O_RDONLY | O_CLOEXEC));
  CHECK(await_settled(reading.get(), "a file").ok());
  {
    // No lease was left that it would have to break.
    const base::Descriptor writing(::open(desk.path().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    REQUIRE(writing);
    CHECK_FALSE(await_settled(reading.get(), "a file").ok());
    CHECK_FALSE(read_settled(reading.get(), "a file").ok());
  }
  CHECK(read_settled(reading.get(), "a file").value() == desk.bytes());
  CHECK(base::Descriptor(::open(desk.path().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)));
}

}  // namespace daybook::canon
