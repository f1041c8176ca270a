// SPDX-License-Identifier: MIT
//
// Eight writers in two processes change manifests by compare-and-swap, while an editor that knows
// no lock saves the same files, in both ways in which editors save: a new file over the old name,
// and into the file itself. The editor looks before it saves, and puts back what it overwrote all
// the same; so what is lost in the end was lost by the writers.
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <linux/fs.h>
#include <set>
#include <sstream>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;
using support::TempFolder;

constexpr int kProcesses = 2;
constexpr int kThreads = 4;
// Frontmatter has a limit, which more marks in one file would reach.
constexpr int kUpdatesOfOne = 350;
constexpr const char* kMark = "editor_marks: ";

const lineage::Timestamp kNow = lineage::parse_timestamp("2026-04-01T08:00:00.000Z").value();

int asked_updates() {
  const char* asked = std::getenv("DAYBOOK_MANIFEST_UPDATES");  // NOLINT(concurrency-mt-unsafe)
  return asked == nullptr ? 1000 : std::atoi(asked);
}

int manifests() { return asked_updates() / kUpdatesOfOne + 1; }

SessionFiles session(int number) {
  SessionFiles files("default", "key-" + std::to_string(number), "2026-03-28T22:34:06.792Z");
  files.manifest.fields.set_text("editor_marks", "start");
  return files;
}

canon::FilePlace place_of(const TempFolder& folder, int number) {
  return {folder.at("vault"), session(number).manifest.path(), folder.at("locks")};
}

// --- the writers
// ----------------------------------------------------------------------------------
/// Until it is done: beside an editor that never rests, busy is a right answer.
bool add_reference(const canon::FilePlace& place, const std::string& mark) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const auto outcome =
        canon::update_manifest(base::real_disk(), place, kNow, [&mark](const auto& manifest) {
          std::vector<std::string> refs = manifest.memory_md_refs;
          refs.push_back(mark);
          return canon::ManifestEdit().set_list("memory_md_refs", refs);
        });
    if (outcome.ok()) {
      return true;
    }
    if (outcome.error().kind != ErrorKind::busy) {
      std::cerr << outcome.error().path << ": " << outcome.error().message << "\n";
      return false;
    }
  }
  return false;
}

/// One process of four threads. Exits with the number of updates that failed.
[[noreturn]] void write_updates(const TempFolder& folder, int process, int updates) {
  const int count = manifests();
  std::array<int, kThreads> failed{};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&folder, &failed, count, process, thread, updates] {
      for (int update = thread; update < updates; update += kThreads) {
        const std::string mark = "u" + std::to_string(process) + "." + std::to_string(update);
        failed[static_cast<std::size_t>(thread)] +=
            add_reference(place_of(folder, update % count), mark) ? 0 : 1;
      }
    });
  }
  int sum = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads[static_cast<std::size_t>(thread)].join();
    sum += failed[static_cast<std::size_t>(thread)];
  }
  ::_exit(sum == 0 ? 0 : 1);
}

// --- the editor
// -----------------------------------------------------------------------------------
std::string read_all(int file) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (ssize_t count = 1; count > 0;) {
    count = ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
    bytes.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return bytes;
}

void write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    // In several pieces: whoever looks meanwhile sees half of it.
    const ssize_t count = ::write(file, bytes.data(), std::min<std::size_t>(bytes.size(), 300));
    if (count <= 0) {
      std::abort();
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string bytes = file < 0 ? std::string() : read_all(file);
  ::close(file);
  return bytes;
}

std::string with_mark(std::string bytes, const std::string& mark) {
  const std::size_t at = bytes.find(kMark);
  return at == std::string::npos ? std::string()
                                 : bytes.insert(bytes.find('\n', at) - 1, " " + mark);
}

/// The references of a manifest, one a line.
std::set<std::string> references(const std::string& bytes) {
  std::set<std::string> found;
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"u") != std::string::npos) {
      found.insert(line);
    }
  }
  return found;
}

/// Lines of `from` that `into` lacks, behind its own.
std::string with_references(std::string into, const std::string& from) {
  const std::set<std::string> known = references(into);
  for (const std::string& line : references(from)) {
    if (!known.contains(line)) {
      into.insert(into.find('\n', into.find("memory_md_refs:")) + 1, line + "\n");
    }
  }
  return into;
}

/// A new file over the old name. What it overwrote unseen goes into the next save.
bool save_by_rename(const std::string& path, const std::string& mark) {
  const std::string temporary = path + ".editor";
  std::string overwritten;
  std::string next = mark;
  while (true) {
    const std::string base = read_file(path);
    if (base.find("\n---\n") == std::string::npos) {
      return false;
    }
    const std::string wanted =
        with_references(next.empty() ? base : with_mark(base, next), overwritten);
    if (wanted.empty()) {
      return false;
    }
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    write_all(file, wanted);
    ::close(file);
    if (read_file(path) != base) {
      continue;
    }
    if (::syscall(
            SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) !=
        0) {
      std::abort();
    }
    next.clear();
    overwritten = read_file(temporary);
    ::unlink(temporary.c_str());
    if (references(overwritten) == references(base)) {
      return true;
    }
  }
}

/// Into the file itself, if it still says what was read.
bool save_in_place(const std::string& path, const std::string& mark) {
  const std::string base = read_file(path);
  const std::string wanted = with_mark(base, mark);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  const bool same = !wanted.empty() && file >= 0 && read_all(file) == base;
  if (same) {
    if (::ftruncate(file, 0) != 0) {
      std::abort();
    }
    ::lseek(file, 0, SEEK_SET);
    write_all(file, wanted);
  }
  ::close(file);
  return same;
}

/// Saves until it is told to end, and says how often it has.
int edit_until(const TempFolder& folder, const std::function<bool()>& ended) {
  int saves = 0;
  for (int round = 0; !ended(); ++round) {
    const std::string path = folder.at("vault/" + session(round / 2 % manifests()).manifest.path());
    const std::string mark = "e" + std::to_string(saves);
    const bool saved = round % 2 == 0 ? save_by_rename(path, mark) : save_in_place(path, mark);
    saves += saved ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return saves;
}

/// All manifests and their conflict copies, in one text.
std::string all_manifests(const TempFolder& folder) {
  std::string text;
  for (const auto& entry : fs::directory_iterator(folder.at("vault/memory"))) {
    if (entry.path().string().find("--manifest") != std::string::npos) {
      text += read_file(entry.path().string());
    }
  }
  return text;
}

int missing_references(const std::string& text, int updates) {
  int missing = 0;
  for (int process = 0; process < kProcesses; ++process) {
    for (int update = 0; update < updates; ++update) {
      const std::string mark =
          "\"u" + std::to_string(process) + "." + std::to_string(update) + "\"";
      missing += text.find(mark) == std::string::npos ? 1 : 0;
    }
  }
  return missing;
}

int missing_marks(std::string text, int saves) {
  for (char& c : text) {
    c = c == '"' || c == '\n' ? ' ' : c;
  }
  int missing = 0;
  for (int save = 0; save < saves; ++save) {
    missing += text.find(" e" + std::to_string(save) + " ") == std::string::npos ? 1 : 0;
  }
  return missing;
}

}  // namespace

TEST_CASE("Eight writers in two processes beside an editor lose no update and none of its saves") {
  const int updates = asked_updates() / kProcesses;
  const TempFolder folder;
  for (int number = 0; number < manifests(); ++number) {
    session(number).write(folder, "vault");
  }
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(::fork());
    REQUIRE(children.back() >= 0);
    if (children.back() == 0) {
      write_updates(folder, process, updates);
    }
  }
  std::vector<int> codes;
  const int saves = edit_until(folder, [&] {
    int status = 0;
    if (::waitpid(-1, &status, WNOHANG) > 0) {
      codes.push_back(status);
    }
    return codes.size() == children.size();
  });
  CHECK(codes == std::vector<int>{0, 0});
  const std::string text = all_manifests(folder);
  std::cout << kProcesses * updates << " updates beside " << saves << " saves of an editor\n";
  CHECK(saves > 0);
  CHECK(missing_references(text, updates) == 0);
  CHECK(missing_marks(text, saves) == 0);
  // Nothing is left of either.
  for (const auto& entry : fs::directory_iterator(folder.at("vault/memory"))) {
    CHECK_FALSE(entry.path().filename().string().starts_with("."));
  }
}

}  // namespace daybook::faults
