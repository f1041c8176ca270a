// SPDX-License-Identifier: MIT
//
// What a killed writer has left is told from what is being written, and clearing up never takes a
// file from under its writer.
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/clock.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace daybook::base {
namespace {

using support::run_in_child;
using support::TempFolder;

class OpenFolder {
 public:
  explicit OpenFolder(const TempFolder& folder)
      : file_(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    REQUIRE(file_ >= 0);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder() { ::close(file_); }
  int get() const { return file_; }

 private:
  int file_;
};

std::int64_t now_ms() { return SystemClock().now_ms(); }

/// The name of what a process left that was killed while it wrote.
std::string leave_temporary(const TempFolder& folder) {
  const auto outcome = run_in_child([&folder]() -> std::string {
    auto file = AtomicFile::create(folder.at("note.md"));
    if (file && file->write("half")) {
      ::kill(::getpid(), SIGKILL);
    }
    return "survived";
  });
  REQUIRE(outcome.signal == SIGKILL);
  const auto names = folder.names();
  const auto left = std::find_if(names.begin(), names.end(), is_temporary_name);
  REQUIRE(left != names.end());
  return *left;
}

}  // namespace

TEST_CASE("a temporary is in use as long as its writer lives, and abandoned from then on") {
  const TempFolder folder;
  const OpenFolder handle(folder);
  {
    auto file = AtomicFile::create(folder.at("note.md"));
    REQUIRE(file);
    const std::string name = folder.names().front();
    CHECK_FALSE(is_abandoned_temporary(handle.get(), name, now_ms()));
    const auto removed = remove_abandoned_temporary(handle.get(), name, now_ms());
    REQUIRE(removed);
    CHECK_FALSE(*removed);
    REQUIRE(file->write("whole"));
    REQUIRE(file->commit(IfExists::replace));
  }
  CHECK(folder.read("note.md") == "whole");
  const std::string left = leave_temporary(folder);
  CHECK(is_abandoned_temporary(handle.get(), left, now_ms()));
  const auto removed = remove_abandoned_temporary(handle.get(), left, now_ms());
  REQUIRE(removed);
  CHECK(*removed);
  CHECK(folder.names() == std::vector<std::string>{"note.md"});
}

TEST_CASE("only regular files with a temporary's name are ever removed") {
  const TempFolder folder;
  const OpenFolder handle(folder);
  const std::string name = ".daybook-aaaaaaaaaaaaaaaa.tmp";
  folder.write("note.md", "mine");
  folder.make_link(name, folder.at("note.md"));
  folder.make_folder(".daybook-bbbbbbbbbbbbbbbb.tmp");
  for (const std::string& other :
       {std::string("note.md"), name, std::string(".daybook-bbbbbbbbbbbbbbbb.tmp")}) {
    INFO(other);
    const auto removed = remove_abandoned_temporary(handle.get(), other, now_ms());
    REQUIRE(removed);
    CHECK_FALSE(*removed);
  }
  CHECK(folder.names().size() == 3);
  CHECK_FALSE(is_abandoned_temporary(handle.get(), ".daybook-cccccccccccccccc.tmp", now_ms()));
}

TEST_CASE("a writer beside a process that clears up always finishes") {
  const TempFolder folder;
  const OpenFolder handle(folder);
  std::atomic<bool> done{false};
  std::thread clearing([&] {
    while (!done) {
      for (const std::string& name : folder.names()) {
        static_cast<void>(remove_abandoned_temporary(handle.get(), name, now_ms()));
      }
    }
  });
  int failed = 0;
  for (int round = 0; round < 500; ++round) {
    failed += write_file_atomically(folder.at("note.md"), "text", IfExists::replace) ? 0 : 1;
  }
  done = true;
  clearing.join();
  CHECK(failed == 0);
  CHECK(folder.names() == std::vector<std::string>{"note.md"});
}

}  // namespace daybook::base
