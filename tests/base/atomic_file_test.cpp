// SPDX-License-Identifier: MIT
#include "daybook/base/atomic_file.hpp"

#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

namespace fs = std::filesystem;
using support::run_in_child;
using support::TempFolder;
using Names = std::vector<std::string>;

std::string outcome_of(const Result<void>& result) {
  if (result.ok()) {
    return "ok";
  }
  switch (result.error().kind) {
    case ErrorKind::already_exists:
      return "already_exists";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::not_permitted:
      return "not_permitted";
    case ErrorKind::io:
      return "io";
    default:
      return "another kind";
  }
}

unsigned mode_of(const std::string& path) {
  struct stat raw {};
  REQUIRE(::lstat(path.c_str(), &raw) == 0);
  return raw.st_mode & 07777U;
}

std::size_t open_handles() {
  const fs::directory_iterator handles("/dev/fd");
  return static_cast<std::size_t>(std::distance(begin(handles), end(handles)));
}

/// One letter again and again: any mixture of two versions shows.
bool is_one_version(const std::string& text, std::size_t size) {
  return text.size() == size && text.find_first_not_of(text.front()) == std::string::npos;
}

/// From here on no file can grow beyond `bytes`; writing more is an error, not a signal.
void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
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

TEST_CASE("a write that fails leaves the target as it was and no temporary") {
  const TempFolder folder;
  folder.write("note.md", "old");
  const auto outcome = run_in_child([&folder] {
    limit_file_size(4096);
    const std::string large(100'000, 'x');
    return outcome_of(write_file_atomically(folder.at("note.md"), large, IfExists::replace)) + " " +
           outcome_of(write_file_atomically(folder.at("new.md"), large, IfExists::keep)) + " " +
           outcome_of(write_file_atomically(folder.at("small.md"), "fits", IfExists::keep));
  });
  CHECK(outcome.signal == 0);
  CHECK(outcome.answer == "io io ok");
  CHECK(folder.read("note.md") == "old");
  CHECK(folder.names() == Names{"note.md", "small.md"});
}

TEST_CASE("a commit after a failed write does not publish the half that was written") {
  const TempFolder folder;
  folder.write("note.md", "old");
  const auto outcome = run_in_child([&folder] {
    limit_file_size(4096);
    auto file = AtomicFile::create(folder.at("note.md"));
    const std::string written = outcome_of(file->write(std::string(100'000, 'x')));
    return written + (file->commit(IfExists::replace).ok() ? " committed" : " refused");
  });
  CHECK(outcome.answer == "io refused");
  CHECK((folder.read("note.md") == "old"));
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("after a failed commit the object is spent and nothing is left of it") {
  const TempFolder folder;
  folder.write("note.md", "old");
  auto file = AtomicFile::create(folder.at("note.md"));
  REQUIRE(file.ok());
  CHECK(file->write("new").ok());
  CHECK(outcome_of(file->commit(IfExists::keep)) == "already_exists");
  CHECK(folder.names() == Names{"note.md"});
  CHECK_FALSE(file->write("more").ok());
  CHECK_FALSE(file->commit(IfExists::replace).ok());
  CHECK(folder.read("note.md") == "old");
}

TEST_CASE("a moved file is committed once by its new owner") {
  const TempFolder folder;
  auto made = AtomicFile::create(folder.at("first.md"));
  REQUIRE(made.ok());
  CHECK(made->write("one").ok());
  AtomicFile file(std::move(made).value());
  CHECK(folder.names().size() == 1);

  auto other = AtomicFile::create(folder.at("second.md"));
  REQUIRE(other.ok());
  CHECK(other->write("two").ok());
  CHECK(folder.names().size() == 2);
  file = std::move(other).value();  // the first one was never committed: gone
  CHECK(folder.names().size() == 1);
  CHECK(file.commit(IfExists::keep).ok());
  CHECK(folder.names() == Names{"second.md"});
  CHECK(folder.read("second.md") == "two");
}

TEST_CASE("many writers of one file leave one complete version at every moment") {
  constexpr std::size_t kSize = 50'000;
  constexpr std::size_t kWriters = 4;
  constexpr int kRounds = 10;
  const TempFolder folder;
  const std::string path = folder.at("note.md");
  folder.write("note.md", std::string(kSize, '0'));
  std::array<int, kWriters> failures{};
  std::atomic<std::size_t> running = kWriters;
  int torn = 0;
  std::size_t reads = 0;

  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const std::string version(kSize, static_cast<char>('a' + i));
      for (int round = 0; round < kRounds; ++round) {
        failures[i] += write_file_atomically(path, version, IfExists::replace).ok() ? 0 : 1;
      }
      --running;
    });
  }
  do {
    torn += is_one_version(folder.read("note.md"), kSize) ? 0 : 1;
    ++reads;
  } while (running > 0);
  for (std::thread& writer : writers) {
    writer.join();
  }

  CHECK(failures == std::array<int, kWriters>{});
  CHECK(torn == 0);
  CHECK(reads > 0);
  CHECK(is_one_version(folder.read("note.md"), kSize));
  CHECK(folder.read("note.md").front() != '0');
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("of many who create the same immutable file exactly one succeeds") {
  constexpr std::size_t kWriters = 6;
  constexpr std::size_t kSize = 20'000;
  const TempFolder folder;
  std::array<std::string, kWriters> outcomes;
  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const std::string version(kSize, static_cast<char>('a' + i));
      outcomes[i] =
          outcome_of(write_file_atomically(folder.at("note.md"), version, IfExists::keep));
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  const auto winner = std::find(outcomes.begin(), outcomes.end(), "ok");
  REQUIRE(winner != outcomes.end());
  CHECK(std::count(outcomes.begin(), outcomes.end(), "ok") == 1);
  CHECK(std::count(outcomes.begin(), outcomes.end(), "already_exists") == kWriters - 1);
  const auto letter = static_cast<char>('a' + (winner - outcomes.begin()));
  CHECK(folder.read("note.md") == std::string(kSize, letter));
  CHECK(folder.names() == Names{"note.md"});
}

TEST_CASE("a writer killed in the middle leaves the old file whole and a temporary that is known") {
  for (const bool everything_written : {false, true}) {
    const TempFolder folder;
    folder.write("note.md", "old");
    const auto outcome = run_in_child([&]() -> std::string {
      auto file = AtomicFile::create(folder.at("note.md"));
      if (!file.ok() || !file->write("half of the n").ok() ||
          (everything_written && !file->write("ew text").ok())) {
        return "not so far";
      }
      ::kill(::getpid(), SIGKILL);
      return "survived";
    });
    CHECK(outcome.signal == SIGKILL);
    CHECK(folder.read("note.md") == "old");
    Names names = folder.names();
    REQUIRE(names.size() == 2);
    CHECK(is_temporary_name(names.front()));
    CHECK(names.back() == "note.md");
    // The leftover is in nobody's way.
    CHECK(write_file_atomically(folder.at("note.md"), "new", IfExists::replace).ok());
    CHECK(folder.read("note.md") == "new");
  }
}

TEST_CASE("a writer killed at any moment leaves one complete version") {
  constexpr std::size_t kSize = 30'000;
  for (int commits_before_the_end = 1; commits_before_the_end <= 8; ++commits_before_the_end) {
    const TempFolder folder;
    folder.write("note.md", std::string(kSize, 'z'));
    std::array<int, 2> progress{};
    REQUIRE(::pipe(progress.data()) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int round = 0;; ++round) {
        const std::string version(kSize, static_cast<char>('a' + round % 25));
        if (!write_file_atomically(folder.at("note.md"), version, IfExists::replace).ok() ||
            ::write(progress[1], ".", 1) != 1) {
          ::_exit(1);
        }
      }
    }
    ::close(progress[1]);
    char dot = 0;
    for (int i = 0; i < commits_before_the_end; ++i) {
      REQUIRE(::read(progress[0], &dot, 1) == 1);
    }
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    ::close(progress[0]);
    REQUIRE(WIFSIGNALED(status));

    CHECK(is_one_version(folder.read("note.md"), kSize));
    Names names = folder.names();
    std::erase(names, "note.md");
    CHECK(names.size() <= 1);
    CHECK(std::all_of(names.begin(), names.end(), is_temporary_name));
  }
}

TEST_CASE("only names that a writer gives are taken for temporaries") {
  CHECK(is_temporary_name(".daybook-abcdefghij234567.tmp"));
  for (const std::string& name : Names{"",
                                       ".",
                                       "note.md",
                                       "MEMORY.md",
                                       "daybook-abcdefghij234567.tmp",
                                       ".daybook-abcdefghij234567.tmp.md",
                                       ".daybook-abcdefghij234567.md",
                                       ".daybook-abcdefghij23456.tmp",
                                       ".daybook-abcdefghij2345678.tmp",
                                       ".daybook-.tmp",
                                       "x.daybook-abcdefghij234567.tmp",
                                       ".obsidian-abcdefghij23456.tmp",
                                       ".daybook.tmp"}) {
    CAPTURE(name);
    CHECK_FALSE(is_temporary_name(name));
  }
}

TEST_CASE("a name of the right length but with other letters is no temporary of ours") {
  CHECK_FALSE(is_temporary_name(".daybook-ABCDEFGHIJ234567.tmp"));
  CHECK_FALSE(is_temporary_name(".daybook-my own notes 001.tmp"));
  CHECK_FALSE(is_temporary_name(".daybook-abcdefghij01890x.tmp"));
}

}  // namespace daybook::base
